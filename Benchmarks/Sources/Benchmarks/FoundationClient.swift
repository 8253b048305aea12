import Foundation
import FoundationNetworking

/// `URLSession` as Foundation has it on Linux.
final class FoundationClient: Sendable {
    private let session: URLSession

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 64
        session = URLSession(configuration: configuration)
    }

    deinit { session.invalidateAndCancel() }

    func contender(url: String, header: (name: String, value: String)?, inFlight: Int) -> Contender {
        Contender("URLSession", inFlight: inFlight) { [self] in
            guard let url = URL(string: url) else { throw BenchmarkError("the URL cannot be read") }
            var request = URLRequest(url: url)
            if let header { request.setValue(header.value, forHTTPHeaderField: header.name) }
            let (body, response) = try await session.data(for: request)
            guard (response as? HTTPURLResponse)?.statusCode == 200, body.count == LoadServer.bodySize else {
                throw BenchmarkError("URLSession gave a wrong response")
            }
        }
    }
}

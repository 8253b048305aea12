import CurlMultiFloor
import Foundation
import FoundationNetworking

/// The C client: all else that sends with libcurl can only be slower.
@safe final class FloorClient: Sendable {
    // Used by one turn at a time.
    private nonisolated(unsafe) let pointer: OpaquePointer

    init(caPath: String?) throws {
        guard let pointer = unsafe curl_floor_open(caPath) else {
            throw BenchmarkError("libcurl cannot be initialised")
        }
        unsafe self.pointer = unsafe pointer
    }

    deinit { unsafe curl_floor_close(pointer) }

    func contender(url: String, header: String?, inFlight: Int) -> Contender {
        Contender(name: "C on curl_multi") { [self] operations in
            let time = unsafe curl_floor_run(
                pointer,
                url,
                header,
                UInt64(operations),
                UInt32(inFlight),
                UInt64(LoadServer.bodySize)
            )
            guard time > 0 else { throw BenchmarkError("a request of the C client failed") }
            return .nanoseconds(Int64(time))
        }
    }
}

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

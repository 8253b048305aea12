import APIClient
import HTTPMessages
import HTTPServing
import HTTPTransport
import Locking
import TestSupport

/// A real server over TLS that answers as a test says and keeps what it was sent.
final class Backend: Sendable {
    /// What the handler, which is made before the backend itself, and the backend share.
    private final class Seen: Sendable {
        let requests = Mutex<[ServedRequest]>([])
    }

    private let root: [UInt8]
    private let server: HTTPServer
    private let seen: Seen

    init(_ respond: @escaping @Sendable (ServedRequest) async throws -> HTTPResponse) throws {
        let authority = try CertificateAuthority.shared
        root = try authority.bytes("root.pem")
        let tls = HTTPServer.TLS(
            certificateChain: try authority.bytes("good.pem"),
            privateKey: try authority.bytes("good.key")
        )
        let seen = Seen()
        self.seen = seen
        server = try HTTPServer(configuration: .init(tls: tls)) { request in
            seen.requests.withLock { $0.append(request) }
            do { return try await respond(request) } catch {
                return HTTPResponse(status: .internalServerError)
            }
        }
    }

    var requests: [ServedRequest] { seen.requests.withLock { $0 } }
    var url: String { "https://localhost:\(server.port)" }
    var port: Int { server.port }

    /// A configuration that trusts the backend.
    func configuration(_ path: String = "") -> API.Configuration {
        var configuration = API.Configuration(baseURL: url + path)
        configuration.transport.trustRoots = .pem(root)
        return configuration
    }

    func api(_ change: (inout API.Configuration) -> Void = { _ in }) throws -> API {
        var configuration = configuration()
        change(&configuration)
        return try API(configuration)
    }
}

extension HTTPResponse {
    static func json(
        _ text: String,
        _ status: Int = 200,
        _ headers: [(HTTPField.Name, String)] = []
    ) throws -> HTTPResponse {
        var response = HTTPResponse(status: try HTTPStatus(status), body: Array(text.utf8))
        try response.fields.set("application/json", for: .contentType)
        for (name, value) in headers { try response.fields.append(value, for: name) }
        return response
    }
}

struct Shape: Codable, Sendable, Hashable {
    var id: Int
    var name: String
}

import HTTPMessages
import HTTPServing
import Locking
import TestSupport

/// A server over TLS on this machine, whose root a test can trust, and what it received.
final class SecureServer: Sendable {
    let server: HTTPServer
    /// The root in PEM.
    let root: String
    private let received: Received

    var port: Int { server.port }
    var requests: [ServedRequest] { received.requests.withLock { $0 } }

    private final class Received: Sendable {
        let requests = Mutex<[ServedRequest]>([])
    }

    init(
        respond: @escaping @Sendable (ServedRequest) -> HTTPResponse = { _ in
            HTTPResponse(status: .ok, body: Array("shapes\n".utf8))
        }
    ) throws {
        let authority = try CertificateAuthority.shared
        root = try authority.text("root.pem")
        let received = Received()
        let tls = HTTPServer.TLS(
            certificateChain: try authority.bytes("good.pem"),
            privateKey: try authority.bytes("good.key")
        )
        server = try HTTPServer(configuration: .init(tls: tls)) { request in
            received.requests.withLock { $0.append(request) }
            return respond(request)
        }
        self.received = received
    }
}

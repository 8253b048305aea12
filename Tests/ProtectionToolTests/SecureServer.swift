import Cryptography
import FoundationEssentials
import HTTPMessages
import HTTPServing
import Locking
import Testing

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
        let now = Int64(Date().timeIntervalSince1970)
        let authority = try PrivateKey.generate(.p256)
        let key = try PrivateKey.generate(.p256)
        let root = try CertificateBuilder(
            commonName: "Test root",
            role: .authority(pathLength: 0),
            notBefore: now - 3_600,
            notAfter: now + 86_400
        ).selfSigned(with: authority)
        var builder = CertificateBuilder(
            commonName: "localhost",
            role: .server,
            notBefore: now - 3_600,
            notAfter: now + 86_400
        )
        builder.dnsNames = ["localhost"]
        builder.ipAddresses = ["127.0.0.1"]
        let certificate = try builder.issued(for: key.publicKey, by: root, key: authority)
        let received = Received()
        let tls = HTTPServer.TLS(
            certificateChain: Array(certificate.pem.utf8),
            privateKey: Array(try key.pkcs8PEM().utf8)
        )
        server = try HTTPServer(configuration: .init(tls: tls)) { request in
            received.requests.withLock { $0.append(request) }
            return respond(request)
        }
        self.root = root.pem
        self.received = received
    }
}

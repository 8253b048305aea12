import Cryptography
import HTTPMessages
import HTTPServing
import JSONWebTokens
import Locking
import RequestVerification
import Timing

/// One server on this machine that answers for several hosts, by TLS, and counts what it was sent.
final class Backend: Sendable {
    static let hosts = ["api.localhost", "status.localhost", "metrics.localhost", "other.localhost"]

    /// The root that its certificate leads to.
    let root: Certificate
    private let server: HTTPServer
    private let received: Received

    /// What the handler, which is made before the backend itself, and the backend share.
    private final class Received: Sendable {
        let count = Mutex(0)
    }

    init(tokenKeys: JSONWebKeySet) throws {
        let now = TimeSource.system.secondsSince1970
        let (rootKey, key) = (try PrivateKey.generate(.p256), try PrivateKey.generate(.p256))
        root = try CertificateBuilder(
            commonName: "Sample Root",
            role: .authority(pathLength: 0),
            notBefore: now - 60,
            notAfter: now + 3600
        ).selfSigned(with: rootKey)
        var builder = CertificateBuilder(
            commonName: "localhost",
            role: .server,
            notBefore: now - 60,
            notAfter: now + 3600
        )
        builder.dnsNames = Self.hosts
        let leaf = try builder.issued(for: key.publicKey, by: root, key: rootKey)
        let tls = HTTPServer.TLS(
            certificateChain: Array(leaf.pem.utf8),
            privateKey: Array(try key.pkcs8PEM().utf8)
        )
        let received = Received()
        self.received = received
        server = try HTTPServer(configuration: .init(tls: tls)) { served in
            received.count.withLock { $0 += 1 }
            return Self.respond(to: served.request, tokenKeys)
        }
    }

    var count: Int { received.count.withLock(\.self) }

    func url(_ host: String, _ path: String) -> String { "https://\(host):\(server.port)\(path)" }

    /// A request with a token must be right in all; one without is an answer of its own.
    private static func respond(to request: HTTPRequest, _ keys: JSONWebKeySet) -> HTTPResponse {
        guard request.fields.contains("Protection-Token") else {
            return HTTPResponse(status: .ok, body: Array("no token\(fields(of: request))".utf8))
        }
        do {
            let verifier = try RequestVerifier(
                keys: keys,
                policy: .init(
                    issuer: "https://authority.example",
                    audience: request.target.host,
                    messageSignatures: signatures
                )
            )
            _ = try verifier.verify(request)
        } catch {
            return HTTPResponse(status: .unauthorized, body: Array("\(error)".utf8))
        }
        guard request.target.path != "/closed" else { return HTTPResponse(status: .forbidden) }
        return HTTPResponse(status: .ok, body: Array("token and signature\(fields(of: request))".utf8))
    }

    /// The signature has to cover the policy's fields, or a change on the way would not be found out.
    private static var signatures: MessageSignaturePolicy {
        var policy = MessageSignaturePolicy(required: [.installation])
        policy.coveredIfPresent += ["Client-Platform", "App-Version"]
        return policy
    }

    private static func fields(of request: HTTPRequest) -> String {
        ["Client-Platform", "App-Version"].compactMap { request.fields[$0] }.map { ", \($0)" }.joined()
    }
}

import AttestationAuthority
import Cryptography
import HTTPMessages
import HTTPServing
import JSONWebTokens
import Locking
import MessageSignatures
import RequestVerification

/// The backend: it takes payments whose token and signatures are right, each once.
final class PaymentAPI: Sendable {
    /// What the handler, which is made before the API itself, and the API share.
    private final class LastBase: Sendable {
        let lines = Mutex<[String]>([])
    }

    let url: String
    private let server: HTTPServer
    private let lastBase: LastBase

    init(tokenKeys: JSONWebKeySet, accountKey: AccountKey) throws {
        let nonces = NonceCache()
        var signatures = MessageSignaturePolicy(required: [.installation, .account])
        signatures.isNonceNew = nonces.insert
        signatures.accountKey = { identifier in
            identifier == accountKey.id ? try HMACKey(accountKey.secret, .sha256) : nil
        }
        let verifier = try RequestVerifier(
            keys: tokenKeys,
            policy: .init(
                issuer: "https://authority.example",
                audience: "localhost",
                messageSignatures: signatures
            )
        )
        let lastBase = LastBase()
        server = try HTTPServer { served in
            do throws(VerificationError) {
                let verified = try verifier.verify(served.request)
                lastBase.lines.withLock { $0 = Self.masked(verified, served.request) }
                return HTTPResponse(status: .ok)
            } catch {
                // A real backend logs the code; here the client is told, so that the sample can show it.
                return HTTPResponse(status: error.status, body: Array("\(error.code)".utf8))
            }
        }
        url = "http://localhost:\(server.port)"
        self.lastBase = lastBase
    }

    /// The base of the first signature of the last good request, a line each.
    var lastSignatureBase: [String] { lastBase.lines.withLock { $0 } }

    private static func masked(_ verified: VerifiedRequest, _ request: HTTPRequest) -> [String] {
        guard let signature = verified.signatures.first,
            let base = try? SignatureBase(
                covering: signature.components.map(\.identifier),
                parameters: signature.parameters,
                of: SignableMessage(request)
            )
        else { return [] }
        let secrets: Set = ["authorization", "protection-token"]
        let lines = base.components.map { component in
            let value = component.value
            let isSecret = secrets.contains(component.identifier.name)
            return "\(component.identifier): \(isSecret ? "<\(value.utf8.count) octets>" : value)"
        }
        return lines + ["\"@signature-params\": \(base.signatureParameters)"]
    }
}

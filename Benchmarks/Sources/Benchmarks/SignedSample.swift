import Foundation
import HTTPMessages
import MessageSignatures
import StructuredFields

/// A typical request, signed, for the signature benchmarks.
struct SignedSample: Sendable {
    private static let components: [ComponentIdentifier] = [
        .method, .authority, .path, .query, .field(.contentType), .field(.authorization), .contentDigest,
    ]
    private static let url = "https://api.example.com/v1/shapes/17?sides=4&colour=dark%20red"
    private static let digests: Set = [DigestAlgorithm.sha256]
    private static let content = [UInt8](repeating: UInt8(ascii: "x"), count: 1024)

    private let request: HTTPRequest
    private let signer: MessageSigner
    private let signed: HTTPRequest
    /// The octets that are signed.
    let base: [UInt8]
    let signature: [UInt8]

    init(_ key: MessageSigningKey) throws {
        let now = Int64(Date.now.timeIntervalSince1970)
        var request = try HTTPRequest(url: Self.url)
        request.method = .post
        request.body = HTTPBody(Self.content)
        try request.fields.set("application/json", for: .contentType)
        try request.fields.set("Bearer \(String(repeating: "a", count: 64))", for: .authorization)
        var signer = MessageSigner(key: key, label: "sig1", components: Self.components, now: { now })
        signer.keyIdentifier = key.algorithm.rawValue
        signer.lifetime = 300
        self.request = request
        self.signer = signer
        signed = try Self.sign(request, signer)
        var unsigned = signed
        unsigned.fields.removeAll(.signatureInput)
        unsigned.fields.removeAll(.signature)
        let made = try signer.signature(of: SignableMessage(unsigned))
        (base, signature) = (made.base.octets, made.signature)
    }

    private static func sign(_ request: HTTPRequest, _ signer: MessageSigner) throws -> HTTPRequest {
        try signer.sign(request, digesting: digests)
    }

    func field(_ name: String) -> [UInt8] {
        SignableMessage(signed).fields.first { $0.name == name }?.value ?? []
    }

    /// Makes the digest and the signature.
    var signing: Contender {
        let (request, signer) = (request, signer)
        return Contender("MessageSigner.sign") { _ = try Self.sign(request, signer) }
    }

    /// Verifies the signature and the digest, under a policy that demands all components.
    func verifying(_ key: MessageVerificationKey) -> Contender {
        var policy = VerificationPolicy(requiredComponents: Self.components)
        policy.maximumAge = 3600
        let now = Int64(Date.now.timeIntervalSince1970)
        let verifier = MessageVerifier(policy: policy, now: { now }, key: { _ in key })
        let message = SignableMessage(signed)
        return Contender("MessageVerifier.verify") {
            guard try verifier.verify(message).isContentVerified else {
                throw BenchmarkError("the content was not verified")
            }
        }
    }

    /// The Python package with the same message, where it is there.
    func peer(_ work: String, _ key: [String: any Sendable]) throws -> [Contender] {
        guard PythonPeer.isPresent else { return [] }
        let peer = try PythonPeer()
        try peer.ask(key)
        let source = work == "sign" ? request : signed
        let fields = source.fields.map { [$0.name.rawName, String(decoding: $0.bytes, as: UTF8.self)] }
        let question: [String: any Sendable] = [
            "ask": work, "algorithm": key["algorithm"] ?? "", "label": "sig1", "statesAlgorithm": false,
            "created": Int(Date.now.timeIntervalSince1970), "components": Self.components.map(\.serialized),
            "body": Data(Self.content).base64EncodedString(),
            "message": ["method": "POST", "url": Self.url, "fields": fields] as [String: any Sendable],
        ]
        return [peer.contender(question)]
    }
}

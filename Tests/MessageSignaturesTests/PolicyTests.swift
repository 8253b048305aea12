import Cryptography
import HTTPMessages
import Locking
import MessageSignatures
import StructuredFields
import Testing

@Suite("Message signatures: policies") struct PolicyTests {
    let pair: TestSigner
    let message: SignableMessage

    init() throws {
        pair = try TestSigner(.ed25519)
        message = try TestSigner.request()
    }

    private func code(
        _ message: SignableMessage,
        label: String? = nil,
        at now: Int64 = TestSigner.now,
        _ change: (inout VerificationPolicy) -> Void = { _ in }
    ) -> SignatureError.Code? {
        var policy = VerificationPolicy(requiredComponents: [.method])
        change(&policy)
        do {
            _ = try pair.verifier(policy, at: now).verify(message, label: label)
            return nil
        } catch {
            #expect(!String(describing: error).contains("example.com"))
            return (error as? SignatureError)?.code
        }
    }

    private func signed(
        _ components: [ComponentIdentifier] = [.method],
        label: String = "sig1",
        _ change: (inout MessageSigner) -> Void = { _ in }
    ) throws -> SignableMessage {
        var signer = try pair.signer(components, label: label)
        change(&signer)
        return message.adding(try signer.signature(of: message))
    }

    @Test("Time") func time() throws {
        let now = TestSigner.now
        let lasting = try signed { $0.lifetime = 60 }
        #expect(code(lasting) == nil)
        #expect(code(lasting, at: now + 60) == nil)
        #expect(code(lasting, at: now + 61) == .expired)
        #expect(code(lasting, at: now + 66, { $0.clockSkew = 6 }) == nil)
        #expect(code(lasting, at: now - 1) == .createdInFuture)
        #expect(code(lasting, at: now - 1, { $0.clockSkew = 1 }) == nil)
        #expect(code(lasting, at: now + 11, { $0.maximumAge = 10 }) == .tooOld)
        #expect(code(lasting, at: now + 10, { $0.maximumAge = 10 }) == nil)
        #expect(code(lasting, at: now - 3, { ($0.clockSkew, $0.maximumAge) = (.max, .max) }) == nil)
        let timeless = try signed { $0.statesCreated = false }
        #expect(code(timeless) == nil)
        #expect(code(timeless, { $0.maximumAge = 10 }) == .requiredParameterMissing)
        let error = #expect(throws: SignatureError.self) { try signed { $0.lifetime = .max } }
        #expect(error?.code == .unserializableParameter)
        #expect(refusal { try signed { $0.lifetime = -1 } } == .expiresBeforeCreated)
    }

    @Test("Components, parameters and tags that must be there") func requirements() throws {
        let message = try signed { ($0.tag, $0.statesAlgorithm) = ("app", true) }
        #expect(code(message, { $0.requiredComponents = [.method, .path] }) == .requiredComponentMissing)
        #expect(code(message, { $0.requiredParameters = ["nonce"] }) == .requiredParameterMissing)
        #expect(code(message, { $0.forbiddenParameters = ["alg"] }) == .forbiddenParameter)
        #expect(code(message, { $0.requiredTag = "app" }) == nil)
        #expect(code(message, { $0.requiredTag = "App" }) == .tagMismatch)
        #expect(code(message, { $0.allowedAlgorithms = [.hmacSHA256] }) == .algorithmNotAllowed)
        #expect(code(message, { $0.trustedKeyIdentifiers = ["a"] }) == .unknownKey)
        #expect(code(self.message) == .unsignedMessage)
    }

    @Test("Several signatures: one is chosen by its label or its tag") func labels() throws {
        var both = try signed(label: "first") { $0.tag = "a" }
        let second = try pair.signer([.path], label: "second").signature(of: both)
        both = both.adding(second)
        let verifier = try pair.verifier(VerificationPolicy(requiredComponents: []))
        #expect(try verifier.labels(in: both) == ["first", "second"])
        #expect(try verifier.labels(in: message) == [])
        #expect(code(both) == .ambiguousLabel)
        #expect(code(both, label: "first") == nil)
        #expect(code(both, label: "second", { $0.requiredComponents = [.path] }) == nil)
        #expect(code(both, label: "third") == .labelNotFound)
        #expect(code(both, { $0.requiredTag = "a" }) == nil)
        #expect(code(both, { $0.requiredTag = "b" }) == .tagMismatch)
        #expect(
            refusal {
                try pair.signer([.path], label: "first").signature(of: both)
            } == .labelNotUnique
        )
    }

    @Test("A signature covers another one's members") func proxy() throws {
        let first = try signed(label: "first")
        let components = try [
            ComponentIdentifier("signature", parameters: ["key": "first"]),
            ComponentIdentifier("signature-input", parameters: ["key": "first"]),
        ]
        let both = first.adding(try pair.signer(components, label: "proxy").signature(of: first))
        #expect(code(both, label: "proxy", { $0.requiredComponents = components }) == nil)
        let error = #expect(throws: SignatureError.self) {
            try pair.signer(components, label: "first").signature(of: message)
        }
        #expect(error?.code == .selfCovering)
    }

    @Test("A nonce is asked for once the signature is right") func nonce() throws {
        let asked = Mutex<[String]>([])
        let once: @Sendable (NonceUse) -> Bool = { use in
            asked.withLock { known in
                defer { known.append(use.nonce) }
                return !known.contains(use.nonce)
            }
        }
        let message = try signed { ($0.makeNonce, $0.lifetime) = ({ "n" }, 60) }
        var forged = SignableMessage(method: .put, target: try SignableTarget("https://example.com/"))
        forged.fields = message.fields
        #expect(code(forged, { $0.isNonceNew = once }) == .signatureInvalid)
        #expect(asked.withLock { $0 } == [])
        #expect(code(message, { $0.isNonceNew = once }) == nil)
        #expect(code(message, { $0.isNonceNew = once }) == .nonceReused)
        #expect(code(try signed(), { $0.isNonceNew = once }) == .requiredParameterMissing)
        #expect(code(message, { $0.isNonceNew = { _ in throw Failure() } }) == .callbackFailure)
        #expect(try MessageSigner.randomNonce().count == 43)
        #expect(try MessageSigner.randomNonce() != MessageSigner.randomNonce())
        let error = #expect(throws: SignatureError.self) {
            try signed { $0.makeNonce = { throw Failure() } }
        }
        #expect(error?.code == .callbackFailure)
        #expect(error?.underlying is Failure)
    }

    private struct Failure: Error {}

    @Test("A key that is not found, and a lookup that fails") func lookup() throws {
        let message = try signed()
        let policy = VerificationPolicy(requiredComponents: [])
        let none = MessageVerifier(policy: policy, now: { TestSigner.now }, key: { _ in nil })
        #expect(refusal { try none.verify(message) } == .unknownKey)
        let broken = MessageVerifier(policy: policy, now: { TestSigner.now }, key: { _ in throw Failure() })
        #expect(refusal { try broken.verify(message) } == .callbackFailure)
    }

    @Test("Behind a proxy, the origin that clients use") func externalOrigin() throws {
        let components: [ComponentIdentifier] = [.authority, .scheme, .targetURI, .path]
        let outside = SignableMessage(method: .get, target: try SignableTarget("https://api.example.com/p?q"))
        var inside = SignableMessage(method: .get, target: try SignableTarget("http://10.0.0.1:8080/p?q"))
        inside.fields = outside.adding(try pair.signer(components).signature(of: outside)).fields
        #expect(code(inside, { $0.requiredComponents = [] }) == .signatureInvalid)
        let origin = try ExternalOrigin("https://api.example.com")
        #expect(code(inside, { ($0.requiredComponents, $0.externalOrigin) = (components, origin) }) == nil)
        for text in [
            "api.example.com", "https://a/", "https://a/b", "https://a?b", "https://a#b", "https://u@a", "",
        ] {
            #expect(refusal { try ExternalOrigin(text) } == .malformedURL)
        }
    }

    @Test("A response is bound to its request") func response() throws {
        let request = try KnownValueTests.request()
        let response = HTTPResponse(status: .ok, body: Array("ok".utf8))
        let components: [ComponentIdentifier] = try [.status, .method.ofRequest(), .path.ofRequest()]
        let signed = try pair.signer(components).sign(response, answering: request)
        let verifier = try pair.verifier(VerificationPolicy(requiredComponents: components))
        let verified = try verifier.verify(SignableMessage(signed, answering: request))
        #expect(verified[.status] == "200")
        #expect(!verified.isContentVerified)
        var other = request
        other.method = .put
        #expect(
            refusal {
                try verifier.verify(SignableMessage(signed, answering: other))
            } == .signatureInvalid
        )
        #expect(
            refusal {
                try verifier.verify(SignableMessage(signed, answering: nil))
            } == .relatedRequestMissing
        )
    }

    @Test("A covered digest is compared with the content") func content() throws {
        var message = message
        message.fields.append(
            FieldLine("Content-Digest", try DigestField(of: Array("content".utf8)).serialized)
        )
        let signed = message.adding(try pair.signer([.method, .contentDigest]).signature(of: message))
        #expect(code(signed) == nil)
        #expect(code(signed, { $0.minimumDigest = .sha512 }) == .noSupportedDigestAlgorithm)
        var changed = signed
        changed.content = []
        #expect(code(changed) == .contentDigestMismatch)
        #expect(code(changed, { $0.checksContentDigest = false }) == nil)
        changed.content = nil
        #expect(code(changed) == .contentUnavailable)
        message.content = nil
        var signer = try pair.signer([.contentDigest])
        #expect(
            refusal { try signer.signature(of: message) }
                == .contentUnavailable
        )
        signer.checksContentDigest = false
        #expect(throws: Never.self) { try signer.signature(of: message) }
    }

    @Test("A covered member of a digest field must do, and the others must match") func digestMembers() throws
    {
        func signed(_ keys: [String], _ field: String) throws -> SignableMessage {
            var message = message
            message.fields.append(FieldLine("Content-Digest", field))
            var signer = try pair.signer(
                keys.map { try ComponentIdentifier("content-digest", parameters: ["key": .string($0)]) }
            )
            signer.checksContentDigest = false
            return message.adding(try signer.signature(of: message))
        }
        func verify(
            _ message: SignableMessage,
            minimum: DigestAlgorithm = .sha256
        ) throws -> VerifiedMessage {
            var policy = VerificationPolicy(requiredComponents: [])
            policy.minimumDigest = minimum
            return try pair.verifier(policy).verify(message)
        }
        let right = try DigestField(of: Array("content".utf8), using: [.sha256, .sha512]).serialized
        let md5 = "md5=:AAAAAAAAAAAAAAAAAAAAAA==:"
        // Only the worthless digest is signed; whoever changes the content puts a good one beside it.
        let forged = try signed(["md5"], md5 + ", " + right)
        #expect(refusal { try verify(forged) } == .noSupportedDigestAlgorithm)
        let absent = try signed(["md5", "sha-256"], md5 + ", " + right)
        #expect(refusal { try verify(absent) } == .noSupportedDigestAlgorithm)
        #expect(try verify(signed(["sha-256"], right)).isContentVerified)
        #expect(try verify(signed(["sha-512"], right), minimum: .sha512).isContentVerified)
        let weak = try signed(["sha-256"], right)
        #expect(refusal { try verify(weak, minimum: .sha512) } == .noSupportedDigestAlgorithm)
        // A member beside it cannot make up for a weak one, but a wrong one is refused, covered or not.
        let other = try DigestField(of: Array("other".utf8), using: [.sha512]).serialized
        let mixed = try DigestField(of: Array("content".utf8)).serialized + ", " + other
        let beside = try signed(["sha-256"], mixed)
        #expect(refusal { try verify(beside) } == .contentDigestMismatch)
        #expect(try verify(signed(["sha-256"], right + ", " + md5)).isContentVerified)
        let wrong = try signed(["sha-256", "sha-512"], mixed)
        #expect(refusal { try verify(wrong) } == .contentDigestMismatch)
    }

    @Test("Signatures in the trailers") func trailers() throws {
        var signer = try pair.signer([.method, ComponentIdentifier("x", parameters: ["tr": true])])
        signer.signsInTrailers = true
        var message = try signed()
        message.trailers = [FieldLine("X", "end")]
        let signature = try signer.signature(of: message)
        message.trailers.append(FieldLine("Signature-Input", signature.signatureInputMember))
        message.trailers.append(FieldLine("Signature", signature.signatureMember))
        #expect(
            code(message, { ($0.readsTrailers, $0.requiredComponents) = (true, signer.components) }) == nil
        )
        #expect(code(message, { $0.requiredComponents = signer.components }) == .requiredComponentMissing)
        #expect(refusal { try signer.signature(of: message) } == .labelNotUnique)
        message.trailers[0] = FieldLine("X", "other")
        #expect(code(message, { $0.readsTrailers = true }) == .signatureInvalid)
        message.trailers = []
        #expect(code(message, { $0.readsTrailers = true }) == .unsignedMessage)
        signer.components = [try ComponentIdentifier("signature", parameters: ["tr": true])]
        #expect(refusal { try signer.signature(of: message) } == .selfCovering)
    }
}

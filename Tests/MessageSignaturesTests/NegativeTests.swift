import Cryptography
import Encodings
import MessageSignatures
import StructuredFields
import TestVectors
import Testing

@Suite(
    "Message signatures: what must be refused",
    .enabled(if: ConformanceData.isPresent, Comment(rawValue: ConformanceData.absence))
)
struct NegativeTests {
    @Test("Every case is refused", arguments: try SignatureVector.load("negative"))
    func refused(_ vector: SignatureVector) throws {
        let isSigning = vector.members["op"]?.string == "sign"
        let error = #expect(throws: SignatureError.self) {
            if isSigning { try Self.sign(vector) } else { try vector.verify() }
        }
        #expect(Reason.matches(try vector.text("reject"), error?.code))
    }

    @Test(
        "A signer refuses what a verifier would for its components",
        arguments: try SignatureVector.load("negative").filter {
            $0.members["signer_must_refuse"]?.bool == true && $0.members["op"]?.string == "verify"
        }
    )
    func signerRefuses(_ vector: SignatureVector) throws {
        #expect(throws: SignatureError.self) {
            let inputs = try FieldDictionary(parsing: vector.text("signature_input"))
            let list = try #require(inputs[try vector.text("label")]?.innerList)
            var components: [ComponentIdentifier] = []
            for item in list.items {
                let name = item.bareItem.string ?? ""
                components.append(try ComponentIdentifier(name, parameters: item.parameters))
            }
            var message = try vector.message()
            message.fields.removeAll { $0.name == "signature" || $0.name == "signature-input" }
            var signer = MessageSigner(
                key: try MessageSigningKey(PrivateKey.generate(.ed25519), algorithm: .ed25519),
                label: try vector.text("label"),
                components: components,
                now: { 1_618_884_473 }
            )
            signer.fieldTypes = try vector.fieldTypes()
            _ = try signer.signature(of: message)
        }
    }

    @Test("Every control is taken", arguments: try SignatureVector.load("negative", "controls"))
    func accepted(_ vector: SignatureVector) throws {
        try vector.verify()
    }

    /// What is decided where the standard leaves it open; nil takes the case.
    static let decisions: [String: SignatureError.Code?] = [
        "either/unpadded-base64": .malformedSignature,
        "either/non-zero-pad-bits": .malformedSignature,
        "either/duplicate-component-parameter": .duplicateParameter,
        "either/duplicate-signature-parameter": .duplicateParameter,
        "either/false-flag": .malformedComponentParameter,
        // OpenSSL takes the identity point as a key, which only whoever configures the keys can choose.
        "either/ed25519-small-order-key": Optional.none,
    ]

    @Test("What is left open is decided", arguments: try SignatureVector.load("negative", "either"))
    func decided(_ vector: SignatureVector) throws {
        let decision = try #require(Self.decisions[vector.id])
        var code: SignatureError.Code?
        do { try vector.verify() } catch let error as SignatureError { code = error.code }
        #expect(code == decision)
    }

    @Test(
        "No verifier is made of a wrong key",
        arguments: try SignatureVector.load("negative", "invalid_keys")
    )
    func invalidKey(_ vector: SignatureVector) throws {
        let algorithm = try #require(MessageSignatureAlgorithm(rawValue: try vector.text("algorithm")))
        #expect(throws: (any Error).self) {
            try MessageVerificationKey(PublicKey(pem: vector.text("public_pem")), algorithm: algorithm)
        }
    }

    private static func sign(_ vector: SignatureVector) throws {
        let components = try #require(vector.members["components"]?.array).map { value in
            let pair = try #require(value.array)
            let parameters = try pairs(pair[1])
            var set: Parameters = [:]
            for (name, value) in parameters { set[name] = value }
            return try ComponentIdentifier(#require(pair[0].string), parameters: set)
        }
        let key = try vector.keys.signingKey(named: vector.text("key"), algorithm: vector.text("algorithm"))
        var signer = MessageSigner(
            key: key,
            label: try vector.text("label"),
            components: components,
            now: { 1_618_884_473 }
        )
        signer.fieldTypes = try vector.fieldTypes()
        let parameters = try SignatureParameters(pairs(#require(vector.members["parameters"])))
        _ = try signer.signature(of: vector.message(), parameters: parameters)
    }

    private static func pairs(_ value: JSONValue) throws -> [(String, BareItem)] {
        try #require(value.array).map { value in
            let pair = try #require(value.array)
            return (try #require(pair[0].string), try bareItem(pair[1]))
        }
    }

    private static func bareItem(_ value: JSONValue) throws -> BareItem {
        switch value {
        case .number: .integer(try #require(value.integer))
        case .bool(let truth): .boolean(truth)
        case .string(let text): .string(text)
        default:
            .decimal(try DecimalNumber(rounding: Double(value.object?["decimal"]?.string ?? "") ?? .nan))
        }
    }
}

import Encodings
import MessageSignatures
import StructuredFields
import TestVectors
import Testing

@Suite(
    "Message signatures: public vectors",
    .enabled(if: ConformanceData.isPresent, Comment(rawValue: ConformanceData.absence))
)
struct VectorTests {
    @Test("The files hold the cases that their documentation counts") func counts() throws {
        #expect(try SignatureVector.load("rfc9421").count == 21)
        #expect(try SignatureVector.load("web-bot-auth").count == 8)
        #expect(try SignatureVector.load("base-canonicalization").count == 272)
        #expect(try SignatureVector.load("negative").count == 440)
        #expect(try SignatureVector.load("negative", "controls").count == 34)
        #expect(try SignatureVector.load("negative", "either").count == 6)
        #expect(try SignatureVector.load("negative", "invalid_keys").count == 10)
    }

    @Test(
        "The signatures of RFC 9421 and of web-bot-auth",
        arguments: try SignatureVector.load("rfc9421") + SignatureVector.load("web-bot-auth")
    )
    func published(_ vector: SignatureVector) throws {
        let base = try self.base(vector)
        #expect(String(decoding: base.octets, as: UTF8.self) == (try vector.text("signature_base")))
        guard vector.members["valid"]?.bool == true else {
            let error = #expect(throws: SignatureError.self) { try vector.verify() }
            #expect(error?.code == .signatureInvalid)
            return
        }
        let verified = try vector.verify()
        #expect(verified.components == base.components)
        try checkSigning(vector, base)
    }

    /// Signing again gives the octets that were printed, where the algorithm has only one signature.
    private func checkSigning(_ vector: SignatureVector, _ base: SignatureBase) throws {
        var message = try vector.message()
        message.fields.removeAll { $0.name == "signature" || $0.name == "signature-input" }
        let key = try vector.keys.signingKey(
            named: vector.text("key"),
            algorithm: vector.text("algorithm")
        )
        let label = try vector.text("label")
        var signer = MessageSigner(
            key: key,
            label: label,
            components: base.components.map(\.identifier),
            now: { 0 }
        )
        signer.fieldTypes = try vector.fieldTypes()
        let parameters = try SignatureParameters(try member(vector).parameters)
        let made = try signer.signature(of: message, parameters: parameters)
        #expect(made.base.octets == base.octets)
        if vector.members["deterministic"]?.bool == true {
            let signatures = try FieldDictionary(parsing: try vector.text("signature"))
            #expect(signatures[label]?.item?.bareItem.bytes == made.signature)
        }
    }

    private func member(_ vector: SignatureVector) throws -> InnerList {
        let inputs = try FieldDictionary(parsing: try vector.text("signature_input"))
        return try #require(inputs[try vector.text("label")]?.innerList)
    }

    private func base(_ vector: SignatureVector) throws -> SignatureBase {
        let member = try member(vector)
        return try SignatureBase(
            covering: member.items.map {
                try ComponentIdentifier($0.bareItem.string ?? "", parameters: $0.parameters)
            },
            parameters: SignatureParameters(member.parameters),
            of: vector.message(),
            types: vector.fieldTypes()
        )
    }

    @Test("The values of components", arguments: try SignatureVector.load("base-canonicalization"))
    func component(_ vector: SignatureVector) throws {
        let result = Result {
            try SignatureBase(
                covering: [ComponentIdentifier(parsing: vector.text("component"))],
                parameters: SignatureParameters([:]),
                of: vector.message(),
                types: vector.fieldTypes()
            )
        }
        if let reason = vector.members["error"]?.string {
            let error = #expect(throws: SignatureError.self) { try result.get() }
            #expect(Reason.matches(reason, error?.code))
            return
        }
        let wanted = try vector.text("value")
        let alternatives = vector.members["alternatives"]?.array?.compactMap(\.string) ?? []
        let value = try #require(try result.get().components.first?.value)
        #expect(([wanted] + alternatives).contains(value))
        let line = try "\(vector.text("component")): \(value)\n\"@signature-params\": "
        #expect(try String(decoding: result.get().octets, as: UTF8.self).hasPrefix(line))
    }
}

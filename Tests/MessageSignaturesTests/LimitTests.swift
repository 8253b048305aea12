import MessageSignatures
import StructuredFields
import Testing

@Suite("Message signatures: hostile sizes", .timeLimit(.minutes(1))) struct LimitTests {
    static let megabyte = 1 << 20
    let pair: TestSigner

    init() throws { pair = try TestSigner(.ed25519) }

    private func refusalOf(_ input: String, _ signature: String = "a=:AAAA:") throws -> SignatureError.Code? {
        let message = try TestSigner.request([("Signature-Input", input), ("Signature", signature)])
        let verifier = try pair.verifier(VerificationPolicy(requiredComponents: []))
        return refusal { try verifier.verify(message, label: "a") }
    }

    @Test(
        "A megabyte of one kind ends",
        arguments: [
            "a=(", "a=()", ";a", ",", " ", "\t", "\"", "a=(),", "\"x\" ", ";k=\"", "a=(\"@method\" ", "=",
            ":",
        ]
    )
    func megabyte(_ unit: String) throws {
        let text = String(repeating: unit, count: Self.megabyte / unit.utf8.count - 8)
        for head in ["", "a=("] { #expect(try refusalOf(head + text) != nil) }
        #expect(try refusalOf("a=()", text) != nil)
    }

    @Test("Ten thousand parameters, a thousand labels and as many components are taken") func many() throws {
        var parameters: [(String, BareItem)] = [("created", .integer(TestSigner.now))]
        for index in 0..<10_000 { parameters.append(("p\(index)", .integer(Int64(index)))) }
        let components = try (0..<1000).map {
            try ComponentIdentifier("x", parameters: ["key": .string("k\($0)")])
        }
        var message = try TestSigner.request([("X", (0..<1000).map { "k\($0)" }.joined(separator: ","))])
        var signer = try pair.signer(components)
        signer.fieldTypes["X"] = .dictionary
        let labels = (0..<999).map { "l\($0)" }
        message.fields.append(FieldLine("Signature-Input", labels.map { "\($0)=()" }.joined(separator: ",")))
        message.fields.append(FieldLine("Signature", labels.map { "\($0)=:AAAA:" }.joined(separator: ",")))
        let signature = try signer.signature(of: message, parameters: SignatureParameters(parameters))
        var policy = VerificationPolicy(requiredComponents: components)
        policy.fieldTypes["X"] = .dictionary
        let verified = try pair.verifier(policy).verify(message.adding(signature), label: "sig1")
        #expect(verified.parameters.all.count == 10_001)
        #expect(verified.components.count == 1000)
    }

    @Test("A megabyte in one field is covered") func largeField() throws {
        let message = try TestSigner.request([("X", String(repeating: "a, ", count: Self.megabyte / 3) + "a")]
        )
        let component = try ComponentIdentifier("x")
        let signature = try pair.signer([component]).signature(of: message)
        let verifier = try pair.verifier(VerificationPolicy(requiredComponents: [component]))
        #expect(throws: Never.self) { try verifier.verify(message.adding(signature)) }
        var signer = try pair.signer([component])
        signer.limits.baseLength = 1000
        #expect(refusal { try signer.signature(of: message) } == .limitExceeded)
    }

    @Test("Each limit is held") func limits() throws {
        let message = try TestSigner.request([("X", "a=1, b=2")])
        let signature = try pair.signer([.method, .path], label: "a").signature(of: message)
        var policy = VerificationPolicy(requiredComponents: [])
        let changes: [(inout SignatureLimits) -> Void] = [
            { $0.fieldLength = 10 }, { $0.members = 2 }, { $0.labels = 0 }, { $0.components = 1 },
            { $0.baseLength = 20 },
        ]
        for change in changes {
            policy.limits = SignatureLimits()
            change(&policy.limits)
            let verifier = try pair.verifier(policy)
            #expect(refusal { try verifier.verify(message.adding(signature)) } == .limitExceeded)
        }
        var signer = try pair.signer([try ComponentIdentifier("x", parameters: ["sf": true])])
        signer.fieldTypes["x"] = .dictionary
        signer.limits.members = 1
        #expect(refusal { try signer.signature(of: message) } == .limitExceeded)
        signer.components = [try ComponentIdentifier("x", parameters: ["key": "a"])]
        #expect(refusal { try signer.signature(of: message) } == .limitExceeded)
        signer.components = [.method, .path]
        signer.limits.components = 1
        #expect(refusal { try signer.signature(of: message) } == .limitExceeded)
    }
}

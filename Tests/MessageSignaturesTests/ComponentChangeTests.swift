import HTTPMessages
import MessageSignatures
import Testing

@Suite("Message signatures: one octet of one component") struct ComponentChangeTests {
    /// A message with a place for a text, and the text whose octets are changed.
    struct Kind: Sendable, CustomTestStringConvertible {
        let component: String
        let text: String
        let message: @Sendable (String) throws -> SignableMessage

        var testDescription: String { component }
    }

    static let kinds: [Kind] = [
        Kind(component: #""x";sf"#, text: "a=1;b=2,   c") { try TestSigner.request([("X", $0)]) },
        Kind(component: #""x";key="a""#, text: "abc") {
            try TestSigner.request([("X", #"a="\#($0)", b=1"#)])
        },
        Kind(component: #""x";bs"#, text: "some text") { try TestSigner.request([("X", $0)]) },
        Kind(component: #""x";req"#, text: "some text") {
            SignableMessage(status: .ok, answering: try TestSigner.request([("X", $0)]))
        },
        Kind(component: #""@path";req"#, text: "/path") {
            SignableMessage(status: .ok, answering: try get("https://a.test\($0)"))
        },
        Kind(component: #""@query-param";name="n""#, text: "value") {
            try get("https://a.test/?m=1&n=\($0)&o")
        },
        Kind(component: #""@authority""#, text: "host.test:8443") { try get("https://\($0)/") },
        Kind(component: #""@path""#, text: "/some/path/%2F") { try get("https://a.test\($0)?q") },
        Kind(component: #""@query""#, text: "?a=b&c=%20") { try get("https://a.test/\($0)") },
        Kind(component: #""@request-target""#, text: "/path?query") {
            SignableMessage(method: .get, target: try SignableTarget("https://a.test/"), requestTarget: $0)
        },
        Kind(component: #""@status""#, text: "200") {
            SignableMessage(status: try HTTPStatus(#require(Int($0))), answering: nil)
        },
    ]

    private static func get(_ url: String) throws -> SignableMessage {
        SignableMessage(method: .get, target: try SignableTarget(url))
    }

    private var types: FieldTypes {
        var types = FieldTypes.standard
        types["x"] = .dictionary
        return types
    }

    private func value(_ component: ComponentIdentifier, of message: SignableMessage) throws -> String? {
        try SignatureBase(
            covering: [component],
            parameters: SignatureParameters([]),
            of: message,
            types: types
        ).components.first?.value
    }

    @Test("Each octet counts, whatever the component", arguments: kinds)
    func oneOctet(_ kind: Kind) throws {
        let component = try ComponentIdentifier(parsing: kind.component)
        let pair = try TestSigner(.ed25519)
        var signer = try pair.signer([component])
        signer.fieldTypes = types
        var policy = VerificationPolicy(requiredComponents: [component])
        policy.fieldTypes = types
        let verifier = try pair.verifier(policy)
        let message = try kind.message(kind.text)
        let original = try #require(try value(component, of: message))
        let signature = try signer.signature(of: message)
        #expect(throws: Never.self) { try verifier.verify(message.adding(signature)) }
        var changes = 0
        for (place, bit) in kind.text.utf8.indices.enumerated().flatMap({ [($0.offset, 1), ($0.offset, 4)] })
        {
            var octets = Array(kind.text.utf8)
            octets[place] ^= UInt8(bit)
            // What is no message is refused before there is anything to verify.
            guard let changed = try? kind.message(String(decoding: octets, as: UTF8.self)) else { continue }
            // Another spelling of the value is none that counts: capitals of a host, white space in a dictionary.
            guard (try? value(component, of: changed)) != original else { continue }
            changes += 1
            #expect(throws: SignatureError.self) { try verifier.verify(changed.adding(signature)) }
        }
        #expect(changes >= kind.text.utf8.count / 2)
    }
}

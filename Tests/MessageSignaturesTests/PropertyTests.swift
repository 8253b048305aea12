import Cryptography
import HTTPMessages
import MessageSignatures
import StructuredFields
import Testing
import TestSupport

@Suite("Message signatures: properties") struct PropertyTests {
    @Test("There is a signer for every algorithm") func algorithms() {
        #expect(TestSigner.all.map(\.algorithm) == MessageSignatureAlgorithm.allCases)
    }

    static let runs = TestSigner.all.indices.flatMap { signer in (0..<10).map { (signer, UInt64($0)) } }

    /// A message of random parts, and everything of it that can be covered.
    static func message(
        _ random: inout SeededGenerator
    ) throws -> (message: SignableMessage, components: [ComponentIdentifier]) {
        let path = text("abc%2Fdef/", &random)
        let query = text("abc=&xy+", &random)
        var components: [ComponentIdentifier] = [
            .method, .targetURI, .authority, .scheme, .requestTarget, .path, .query,
        ]
        var message = SignableMessage(
            method: try HTTPMethod(text("GETPOS", &random)),
            target: try SignableTarget("https://example.com:8443/\(path.replacing("%", with: ""))?\(query)")
        )
        for index in 0..<Int.random(in: 1...5, using: &random) {
            message.fields.append(FieldLine("X-\(index)", text("abc ,;=\"", &random)))
            message.trailers.append(FieldLine("X-\(index)", text("abc ,;=\"", &random)))
            components.append(try ComponentIdentifier("x-\(index)"))
            components.append(try ComponentIdentifier("x-\(index)", parameters: ["bs": true]))
            components.append(try ComponentIdentifier("x-\(index)", parameters: ["tr": true]))
        }
        message.content = Array(text("0123456789", &random).utf8)
        let digest = try DigestField(of: message.content ?? [], using: [.sha256, .sha512])
        message.fields.append(FieldLine("Content-Digest", digest.serialized))
        components.append(.contentDigest)
        return (message, components.shuffled(using: &random))
    }

    private static func text(_ letters: String, _ random: inout SeededGenerator) -> String {
        let length = Int.random(in: 1...20, using: &random)
        return String((0..<length).compactMap { _ in letters.randomElement(using: &random) })
    }

    @Test("A signed message verifies, and not once one octet is changed", arguments: runs)
    func signAndChange(_ index: Int, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (message, components) = try Self.message(&random)
        let pair = TestSigner.all[index]
        let signed = message.adding(try pair.signer(components).signature(of: message))
        var policy = VerificationPolicy(requiredComponents: components)
        policy.minimumDigest = .sha512
        let verifier = try pair.verifier(policy)
        let verified = try verifier.verify(signed)
        #expect(verified.isContentVerified)
        #expect(verified.components.map(\.identifier) == components)
        for position in signed.fields.indices {
            let value = signed.fields[position].value
            let places = Set((0..<8).compactMap { _ in value.indices.randomElement(using: &random) })
            for place in places {
                var octets = value
                octets[place] ^= 1 << UInt8.random(in: 0..<7, using: &random)
                let line = FieldLine(signed.fields[position].name, octets)
                // White space at the ends is no part of the value.
                if Self.trimmed(octets) == Self.trimmed(value) { continue }
                var changed = signed
                changed.fields[position] = line
                #expect(throws: SignatureError.self) { try verifier.verify(changed) }
            }
        }
        for position in signed.trailers.indices {
            let line = signed.trailers[position]
            for place in line.value.indices {
                var octets = line.value
                octets[place] ^= 1
                if Self.trimmed(octets) == Self.trimmed(line.value) { continue }
                var changed = signed
                changed.trailers[position] = FieldLine(line.name, octets)
                #expect(refusal { try verifier.verify(changed) } == .signatureInvalid)
            }
        }
        for place in (signed.content ?? []).indices {
            var changed = signed
            changed.content?[place] ^= 1
            let error = #expect(throws: SignatureError.self) { try verifier.verify(changed) }
            #expect(error?.code == .contentDigestMismatch)
        }
    }

    @Test("Each octet of the first line counts", arguments: TestSigner.all.indices)
    func firstLine(_ index: Int) throws {
        let components: [ComponentIdentifier] = [.method, .targetURI]
        let pair = TestSigner.all[index]
        let method = "POST"
        let url = "https://example.com:8443/path/%2F?a=b&c"
        let message = SignableMessage(method: try HTTPMethod(method), target: try SignableTarget(url))
        let signed = message.adding(try pair.signer(components).signature(of: message))
        let verifier = try pair.verifier(VerificationPolicy(requiredComponents: components))
        #expect(throws: Never.self) { try verifier.verify(signed) }
        for place in 0..<method.utf8.count + url.utf8.count {
            var octets = Array((method + url).utf8)
            octets[place] ^= 1
            let first = String(decoding: octets.prefix(method.utf8.count), as: UTF8.self)
            let second = String(decoding: octets.dropFirst(method.utf8.count), as: UTF8.self)
            // What cannot be a target is refused before there is anything to verify.
            guard let target = try? SignableTarget(second) else { continue }
            var changed = SignableMessage(method: try HTTPMethod(first), target: target)
            changed.fields = signed.fields
            #expect(refusal { try verifier.verify(changed) } == .signatureInvalid)
        }
    }

    private static func trimmed(_ octets: [UInt8]) -> ArraySlice<UInt8> {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var rest = octets.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }

    @Test("Each bit of a signature counts", arguments: TestSigner.all.indices)
    func signatureBits(_ index: Int) throws {
        let pair = TestSigner.all[index]
        let message = try TestSigner.request()
        let signature = try pair.signer([.method]).signature(of: message)
        let verifier = try pair.verifier(VerificationPolicy(requiredComponents: [.method]))
        let digits = Array(signature.signatureMember.utf8)
        #expect(throws: Never.self) { try verifier.verify(message.adding(signature)) }
        for place in digits.indices.dropFirst(6).dropLast(3) {
            var changed = digits
            changed[place] = changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            var forged = message
            forged.fields.append(FieldLine("Signature-Input", signature.signatureInputMember))
            forged.fields.append(FieldLine("Signature", changed))
            #expect(throws: SignatureError.self) { try verifier.verify(forged) }
        }
    }

    @Test("Identifiers are equal whatever the order of their parameters, and are written as they came")
    func identifiers()
        throws
    {
        let first = try ComponentIdentifier(parsing: #""a";req;key="k";tr"#)
        let second = try ComponentIdentifier(parsing: #""a";tr;req;key="k""#)
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
        #expect(first.serialized == #""a";req;key="k";tr"#)
        #expect(second.description == #""a";tr;req;key="k""#)
        #expect(try ComponentIdentifier(parsing: #""a";key="j";req;tr"#) != first)
        #expect(try ComponentIdentifier.method.ofRequest().serialized == #""@method";req"#)
        for text in ["", "a", "\"a\", \"b\"", "1", "\"a\" b", "\"a\";tr;tr"] {
            let error = #expect(throws: SignatureError.self) { try ComponentIdentifier(parsing: text) }
            #expect(error?.code == .invalidComponentName)
        }
    }

    @Test("The identifiers that cannot be wrong are those that are parsed") func conveniences() throws {
        #expect(ComponentIdentifier.field("Content-Type").serialized == "\"content-type\"")
        #expect(ComponentIdentifier.field(.contentDigest) == .contentDigest)
        let parameter = ComponentIdentifier.queryParameter("fa\u{E7}ade\": ")
        #expect(parameter.serialized == #""@query-param";name="fa%C3%A7ade%22%3A%20""#)
        #expect(try ComponentIdentifier(parsing: parameter.serialized) == parameter)
        for name in [
            "@method", "@target-uri", "@authority", "@scheme", "@request-target", "@path", "@query",
            "@status",
        ] {
            #expect(try ComponentIdentifier(name).serialized == "\"\(name)\"")
        }
        let known: [ComponentIdentifier] = [
            .method, .targetURI, .authority, .scheme, .requestTarget, .path, .query, .status,
        ]
        for component in known {
            #expect(try ComponentIdentifier(parsing: component.serialized) == component)
        }
    }
}

import AppAttestation
import Cryptography
import TestVectors
import Testing

@Suite("What credential certificates tell") struct CredentialDetailsTests {
    /// An element with an explicit context-specific tag whose number stands in octets of its own.
    private static func tagged(_ number: UInt32, _ element: [UInt8]) -> [UInt8] {
        var digits = [UInt8(number & 0x7F)]
        var rest = number >> 7
        while rest > 0 {
            digits.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
            rest >>= 7
        }
        return [0xBF] + digits + DER.header(.boolean, length: element.count).dropFirst() + element
    }

    private static func octets(_ text: String) -> [UInt8] { DER.element(.octetString, Array(text.utf8)) }

    private func details(_ extensions: [(number: UInt8, value: [UInt8])]) throws -> AppleCredentialDetails {
        let mint = try TestMint()
        var parts = TestMint.Parts()
        parts.extensions = extensions
        let proof = try mint.verifier()
            .verify(mint.attestation(parts), keyID: mint.keyID, clientDataHash: TestMint.hash)
        return try #require(proof.credentialDetails)
    }

    @Test func allAreRead() throws {
        let key = DER.sequence(
            DER.element(.constructed(4), DER.element(.integer, [10])),
            Self.tagged(1204, Self.octets("1234567890.org.example.app")),
            DER.element(.constructed(5), Self.octets("sks ")),
            Self.tagged(31, DER.element(.integer, [0xFE])),
            Self.tagged(.max, DER.element(.integer, [0, 0xFF, 0xFF, 0xFF, 0xFE])),
            DER.element(.constructed(30), DER.element(.boolean, [0xFF])),
            Self.tagged(128, DER.element(.integer, [1] + [UInt8](repeating: 0, count: 8)))
        )
        let rules: [UInt8] = [0x30, 0x00]
        let access = DER.sequence(DER.element(.constructed(3), DER.element(.octetString, rules)))
        let system = DER.sequence(
            Self.tagged(1400, Self.octets("27.0")),
            Self.tagged(1403, Self.octets("24A325b")),
            Self.tagged(1404, Self.octets("")),
            Self.tagged(1026, Self.octets("iphoneos"))
        )
        let details = try details([(5, key), (6, access), (7, system)])
        #expect(details.appID == TestMint.appID)
        #expect(details.accessControl == rules)
        #expect(details.systemVersion == "27.0" && details.systemBuild == "24A325b")
        #expect(details.platform == "iphoneos" && details.systemAttributes?.text(1404) == "")
        let attributes = try #require(details.keyAttributes)
        #expect(attributes.entries.map(\.tag) == [4, 1204, 5, 31, .max, 30, 128])
        #expect(attributes[4] == .integer(10) && attributes[31] == .integer(-2))
        #expect(attributes[.max] == .integer(4_294_967_294))
        #expect(attributes[5] == .octets(Array("sks ".utf8)))
        #expect(attributes[30] == .element([1, 1, 0xFF]))
        #expect(attributes[128] == .element([2, 9, 1] + [UInt8](repeating: 0, count: 8)))
        #expect(attributes[6] == nil && attributes.text(4) == nil && attributes.text(7) == nil)
    }

    @Test func noneIsNoFault() throws {
        let details = try details([])
        #expect(details.keyAttributes == nil && details.accessControl == nil)
        #expect(details.systemAttributes == nil && details.appID == nil && details.platform == nil)
        let empty = try self.details([(5, [0x30, 0]), (7, [0x30, 0])])
        #expect(empty.keyAttributes?.entries.isEmpty == true && empty.systemVersion == nil)
    }

    /// Content of the sequence of attributes that is not strict DER of its form.
    static let faults: [[UInt8]] = [
        [0x04, 1, 0],  // no tag around the value
        [0xA4, 3, 2, 1], [0xA4, 0x81, 3, 2, 1, 10], [0xA4, 0x80, 2, 1, 10, 0, 0],  // lengths
        [0xA4, 0], [0xA4, 6, 2, 1, 10, 2, 1, 10], [0xA4, 4, 2, 1, 10, 0],  // not one element
        [0x84, 1, 10], [0x64, 3, 2, 1, 10],  // a primitive tag, a tag of another class
        [0xA4, 3, 2, 1, 10, 0xA4, 3, 2, 1, 10],  // twice
        [0xBF, 0x04, 3, 2, 1, 10], [0xBF, 0x1E, 3, 2, 1, 10],  // a small number in its long form
        [0xBF, 0x80, 0x7F, 3, 2, 1, 10],  // a leading zero
        [0xBF, 0x90, 0x80, 0x80, 0x80, 0x00, 3, 2, 1, 10],  // 33 bits
        [0xBF], [0xBF, 0x8A], [0xBF, 0x8A, 0x78],  // cut short
        [0xA4, 2, 2, 0], [0xA4, 4, 2, 2, 0, 10], [0xA4, 4, 2, 2, 0xFF, 0xFE],  // integers
        [0xA4, 4, 0x1F, 0x20, 1, 0],  // a long tag for the value
    ]

    @Test(arguments: faults) func whatIsNotInItsFormIsNil(content: [UInt8]) throws {
        let sequence = DER.element(.sequence, content)
        let details = try details([(5, sequence), (6, sequence), (7, sequence)])
        #expect(details.keyAttributes == nil && details.systemAttributes == nil)
        #expect(details.accessControl == nil)
    }

    @Test func octetsAfterTheEndAndOtherTypesAreNil() throws {
        for value in [[0x30, 0, 0], [0x31, 0], [], [0x30, 5, 0xA4, 3, 2, 1, 10, 5, 0]] as [[UInt8]] {
            let details = try details([(5, value), (6, value), (7, value)])
            #expect(details.keyAttributes == nil && details.systemAttributes == nil)
            #expect(details.accessControl == nil)
        }
        // Text that is not UTF-8 stays what it is.
        let attributes = try details([(7, DER.sequence(Self.tagged(1400, [4, 1, 0xFF])))])
        #expect(attributes.systemVersion == nil)
        #expect(attributes.systemAttributes?[1400] == .octets([0xFF]))
    }

    @Test(arguments: [UInt8(5), 6, 7]) func oneThatStandsTwiceIsRefused(number: UInt8) throws {
        let error = try #require(throws: AttestationError.self) {
            try details([(number, [0x30, 0]), (number, [0x30, 0])])
        }
        #expect(error.code == .invalidCertificate)
    }

    @Test(
        .enabled(if: ConformanceData.isPresent, Comment(rawValue: ConformanceData.absence)),
        arguments: Fixture.attestations
    )
    func realOnesTellAppAndSystem(fixture: Fixture) throws {
        let proof = try fixture.verifier()
            .verify(fixture.object, keyID: fixture.keyID, clientDataHash: fixture.clientDataHash)
        let details = try #require(proof.credentialDetails)
        #expect(details.appID == fixture.appId)
        let version = try #require(details.systemVersion)
        #expect(version.wholeMatch(of: /[0-9]+(\.[0-9]+)+/) != nil)
        #expect(details.systemAttributes?.entries.isEmpty == false)
        #expect(details.keyAttributes?[4] == .integer(10))
        #expect((details.accessControl?.count ?? 69) == 69)
        let isNew = version.hasPrefix("26.") || version.hasPrefix("27.")
        #expect((details.accessControl != nil) == isNew)
        #expect(details.keyAttributes?[1206] == .integer(isNew ? 4 : 5))
    }
}

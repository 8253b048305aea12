import Testing

@testable import Cryptography

@Suite("Forms of an ECDSA signature") struct ECDSASignatureTests {
    private func fixed(_ der: [UInt8], width: Int = 2) -> [UInt8]? {
        ECDSASignature.fixedWidth(fromDER: der.span, width: width)
    }

    @Test(
        arguments: [
            ([0x30, 6, 2, 1, 1, 2, 1, 2], [0, 1, 0, 2]), ([0x30, 6, 2, 1, 0, 2, 1, 0], [0, 0, 0, 0]),
            ([0x30, 8, 2, 2, 0, 0x80, 2, 2, 1, 0], [0, 0x80, 1, 0]),
            ([0x30, 10, 2, 3, 0, 0xFF, 0xFE, 2, 3, 0, 0x80, 0], [0xFF, 0xFE, 0x80, 0]),
        ] as [([UInt8], [UInt8])]
    )
    func strictDERIsTaken(der: [UInt8], expected: [UInt8]) {
        #expect(fixed(der) == expected)
    }

    @Test func aLengthOfTwoOctetsIsTaken() {
        let number = [UInt8](repeating: 0x7F, count: 66)
        let der = [0x30, 0x81, 136] + ([2, 66] + number) + ([2, 66] + number)
        #expect(fixed(der, width: 66) == number + number)
    }

    @Test(
        arguments: [
            [], [0x30], [0x30, 0], [0x30, 3, 2, 1, 1], [0x31, 6, 2, 1, 1, 2, 1, 2],
            // Too much, too little, or cut off.
            [0x30, 6, 2, 1, 1, 2, 1, 2, 0], [0x30, 7, 2, 1, 1, 2, 1, 2, 0], [0x30, 6, 2, 1, 1, 2, 1],
            [0x30, 6, 2, 1, 1, 2, 2, 2], [0x30, 9, 2, 1, 1, 2, 1, 2, 2, 1, 3],
            // Numbers that are empty, negative, padded, of another tag, or too wide.
            [0x30, 5, 2, 0, 2, 1, 2], [0x30, 6, 2, 1, 0x80, 2, 1, 2], [0x30, 7, 2, 2, 0, 1, 2, 1, 2],
            [0x30, 7, 2, 2, 0, 0, 2, 1, 2], [0x30, 6, 4, 1, 1, 2, 1, 2], [0x30, 8, 2, 3, 1, 0, 0, 2, 1, 2],
            // Lengths in a longer form than they need, without an end, or of other forms.
            [0x30, 0x81, 6, 2, 1, 1, 2, 1, 2], [0x30, 7, 2, 0x81, 1, 1, 2, 1, 2],
            [0x30, 0x80, 2, 1, 1, 2, 1, 2, 0, 0], [0x30, 0x82, 0, 6, 2, 1, 1, 2, 1, 2], [0x30, 0x81],
        ] as [[UInt8]]
    )
    func whatIsNotStrictDERIsNot(der: [UInt8]) {
        #expect(fixed(der) == nil)
    }
}

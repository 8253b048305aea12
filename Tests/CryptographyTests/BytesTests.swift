import Cryptography
import Testing

@Suite struct BytesTests {
    @Test func secretKeepsItsOctetsToItself() {
        let secret = SecretBytes([1, 2, 3])
        #expect("\(secret)" == "SecretBytes(3 octets)")
        #expect(Array(Mirror(reflecting: secret).children).isEmpty)
        #expect(secret.withBytes { $0.count == 3 && $0[0] == 1 && $0[2] == 3 })
        #expect(secret == SecretBytes([1, 2, 3]))
        #expect(secret != SecretBytes([1, 2, 4]))
        #expect(secret != SecretBytes([1, 2]))
        #expect(SecretBytes([]) == SecretBytes([]))
    }

    @Test func movingEmptiesTheSource() {
        var bytes: [UInt8] = [9, 9]
        #expect(SecretBytes(moving: &bytes) == SecretBytes([9, 9]))
        #expect(bytes.isEmpty)
    }

    @Test(arguments: [0, 1, 16, 1000])
    func randomHasItsLength(_ count: Int) throws {
        #expect(try RandomBytes.generate(count: count).count == count)
        #expect(try SecretBytes.random(count: count).count == count)
    }

    @Test func randomDiffers() throws {
        #expect(try RandomBytes.generate(count: 16) != RandomBytes.generate(count: 16))
        #expect(try SecretBytes.random(count: 16) != SecretBytes.random(count: 16))
    }

    @Test(arguments: [-1, Int.max])
    func randomRefusesOtherCounts(_ count: Int) throws {
        #expect(
            try #require(throws: CryptographyError.self) { try RandomBytes.generate(count: count) }.code
                == .invalidInput
        )
        #expect(
            try #require(throws: CryptographyError.self) { try SecretBytes.random(count: count) }.code
                == .invalidInput
        )
    }

    @Test(
        arguments: [
            ([], [], true), ([1], [1], true), ([1, 2], [1, 3], false), ([1], [1, 2], false), ([], [0], false),
        ] as [([UInt8], [UInt8], Bool)]
    )
    func constantTime(_ left: [UInt8], _ right: [UInt8], _ isEqual: Bool) {
        #expect(ConstantTime.equal(left, right) == isEqual)
    }
}

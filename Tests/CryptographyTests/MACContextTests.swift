import Encodings
import Testing

@testable import Cryptography

@Suite("Contexts of HMAC") struct MACContextTests {
    /// OPENSSL_VERSION_NUMBER of 3.0.0, 3.0.2, 3.0.3, 3.0.17, 3.1.0 and 4.0.0.
    @Test(arguments: [
        (0x3000_0000, false), (0x3000_0020, false), (0x3000_0030, true), (0x3000_0110, true),
        (0x3010_0000, true), (0x4000_0000, true),
    ])
    func versionsThatDoNotResetAContextShareNone(version: UInt, isShared: Bool) {
        #expect(MACContext.canReset(version: version) == isShared)
    }

    /// RFC 4231, test case 2, again and again and with another message between.
    @Test(arguments: [true, false], [HashAlgorithm.sha256, .sha512])
    func oneMessageLeavesNothingForTheNext(sharesContext: Bool, algorithm: HashAlgorithm) throws {
        let context = try MACContext.make(
            secret: SecretBytes(Array("Jefe".utf8)),
            algorithm: algorithm,
            sharesContext: sharesContext
        )
        func code(_ message: String) -> [UInt8]? {
            let length = algorithm.digestLength
            return unsafe OutputBytes.fill(capacity: length) { output in
                unsafe context.compute(Array(message.utf8).span, into: output, capacity: length)
            }
        }
        let expected =
            algorithm == .sha256
            ? "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            : "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
        for _ in 0..<3 {
            #expect(try code("what do ya want for nothing?") == Hex.decode(expected))
            #expect(code("") != nil)
        }
    }
}

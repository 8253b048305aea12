import Cryptography
import Encodings
import Testing

@Suite struct HashTests {
    /// FIPS 180-4 values of NIST's example documents: "abc", the empty message, and the message of two blocks.
    @Test(arguments: [
        (HashAlgorithm.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (
            .sha256, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            .sha384, "abc",
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
        ),
        (
            .sha512, "abc",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
    ])
    func knownValues(_ algorithm: HashAlgorithm, _ message: String, _ digest: String) throws {
        let bytes = Array(message.utf8)
        #expect(Hex.encode(try algorithm.hash(bytes)) == digest)
        var incremental = try IncrementalHash.start(algorithm)
        for byte in bytes { try incremental.update([byte]) }
        #expect(Hex.encode(try incremental.finalize()) == digest)
    }

    @Test(arguments: HashAlgorithm.allCases)
    func lengths(_ algorithm: HashAlgorithm) throws {
        #expect(try algorithm.hash([]).count == algorithm.digestLength)
    }
}

@Suite struct HMACTests {
    struct Vector: Sendable {
        let key: [UInt8]
        let message: [UInt8]
        let sha256: String
        let sha512: String
    }

    /// RFC 4231, test cases 1, 2, 3 and 6.
    static let vectors = [
        Vector(
            key: Array(repeating: 0x0B, count: 20),
            message: Array("Hi There".utf8),
            sha256: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
            sha512: "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
                + "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"
        ),
        Vector(
            key: Array("Jefe".utf8),
            message: Array("what do ya want for nothing?".utf8),
            sha256: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            sha512: "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
        ),
        Vector(
            key: Array(repeating: 0xAA, count: 20),
            message: Array(repeating: 0xDD, count: 50),
            sha256: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
            sha512: "fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39"
                + "bf3e848279a722c806b485a47e67c807b946a337bee8942674278859e13292fb"
        ),
        Vector(
            key: Array(repeating: 0xAA, count: 131),
            message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            sha256: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            sha512: "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352"
                + "6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598"
        ),
    ]

    @Test(arguments: vectors)
    func knownValues(_ vector: Vector) throws {
        for (algorithm, expected) in [(HashAlgorithm.sha256, vector.sha256), (.sha512, vector.sha512)] {
            let key = try HMACKey(SecretBytes(vector.key), algorithm)
            // Twice: the second call works in a context that the first one used.
            for _ in 0..<2 {
                let code = try key.authenticationCode(for: vector.message)
                #expect(Hex.encode(code) == expected)
                #expect(try key.isValid(code, for: vector.message))
                #expect(try !key.isValid(Array(code.dropLast()), for: vector.message))
                #expect(try !key.isValid(code, for: vector.message + [0]))
            }
        }
    }

    @Test func sha384() throws {
        let key = try HMACKey(SecretBytes(Array("Jefe".utf8)), .sha384)
        let code = try key.authenticationCode(for: Array("what do ya want for nothing?".utf8))
        #expect(
            Hex.encode(code)
                == "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649"
        )
    }

    @Test func emptyKeyAndMessage() throws {
        let key = try HMACKey(SecretBytes([]), .sha256)
        #expect(
            Hex.encode(try key.authenticationCode(for: []))
                == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
        )
    }

    @Test func oneKeyServesManyTasks() async throws {
        let key = try HMACKey(SecretBytes.random(count: 32), .sha256)
        let message = Array(repeating: UInt8(7), count: 300)
        let expected = try key.authenticationCode(for: message)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<200 where try key.authenticationCode(for: message) != expected {
                        return false
                    }
                    return true
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func descriptionHidesTheKey() throws {
        let key = try HMACKey(SecretBytes(Array("hidden".utf8)), .sha256)
        var dumped = ""
        dump(key, to: &dumped)
        #expect("\(key)" == "HMACKey(sha256)")
        #expect(!dumped.contains("104"))
    }
}

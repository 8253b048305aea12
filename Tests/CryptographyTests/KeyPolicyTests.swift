import Cryptography
import Encodings
import Testing

@Suite struct KeyPolicyTests {
    /// An odd modulus of so many bits; enough for what is refused before any arithmetic.
    private func modulus(bits: Int) -> [UInt8] { [0x80] + Array(repeating: 0xFF, count: bits / 8 - 1) }

    @Test(arguments: [512, 1024, 2040])
    func shortRSA(_ bits: Int) {
        #expect(code { try PublicKey(modulus: modulus(bits: bits), exponent: [1, 0, 1]) } == .weakKey)
        #expect(code { try PrivateKey.generate(.rsa(bits: bits)) } == .weakKey)
    }

    @Test(arguments: [8200, 16384])
    func longRSA(_ bits: Int) {
        #expect(code { try PublicKey(modulus: modulus(bits: bits), exponent: [1, 0, 1]) } == .unsupportedKey)
        #expect(code { try PrivateKey.generate(.rsa(bits: bits)) } == .unsupportedKey)
    }

    @Test(
        arguments: [
            ([1], .weakKey), ([0, 1], .weakKey), ([2], .invalidKey), ([1, 0, 0], .invalidKey),
            ([0], .invalidKey),
            ([], .invalidKey), ([1, 0, 0, 0, 0, 0, 0, 0, 1], .unsupportedKey), ([3], nil), ([1, 0, 1], nil),
        ] as [([UInt8], CryptographyError.Code?)]
    )
    func exponents(_ exponent: [UInt8], _ expected: CryptographyError.Code?) {
        #expect(code { try PublicKey(modulus: modulus(bits: 2048), exponent: exponent) } == expected)
    }

    @Test func evenModulus() {
        let even = Array(modulus(bits: 2048).dropLast()) + [0xFE]
        #expect(code { try PublicKey(modulus: even, exponent: [1, 0, 1]) } == .invalidKey)
    }

    /// A power of 65537 has the form of the flawed generator of CVE-2017-15361: here 65537 to the 127th, of 2033 bits,
    /// times 65537.
    @Test func flawedGenerator() {
        var power: [UInt8] = [1]
        for _ in 0..<128 {
            // Times 65537: the number plus itself moved up by 16 bits, digits in little-endian order.
            var carry = 0
            power = (0..<(power.count + 3)).map { index in
                let low = index < power.count ? Int(power[index]) : 0
                let high = index >= 2 && index - 2 < power.count ? Int(power[index - 2]) : 0
                let sum = low + high + carry
                carry = sum >> 8
                return UInt8(truncatingIfNeeded: sum)
            }
            while power.last == 0 { power.removeLast() }
        }
        #expect(power.count >= 256)
        #expect(code { try PublicKey(modulus: power.reversed(), exponent: [1, 0, 1]) } == .weakKey)
    }

    @Test(arguments: [KeyType.p256, .p384, .p521])
    func points(_ type: KeyType) throws {
        let point = try #require(TestKeys.key(type).publicKey.x963)
        var off = point
        off[off.count - 1] ^= 1
        let compressed = [2 + (point[point.count - 1] & 1)] + point[1...(point.count / 2)]
        for fault in [off, compressed, [0], [], point + [0], Array(point.dropLast())] {
            #expect(code { try PublicKey(x963: fault, curve: type) } == .invalidKey)
        }
        #expect(code { try PublicKey(x963: point, curve: .ed25519) } == .unsupportedKey)
        #expect(code { try PublicKey(x963: point, curve: type == .p256 ? .p384 : .p256) } == .invalidKey)
    }

    /// The point whose x is zero, the same with the field's prime for x, its negative, and what is on no curve.
    @Test(
        arguments: [
            (
                .p256, "66485c780e2f83d72433bd5d84a06bb6541c2af31dae871728bf856a174f93f4",
                "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"
            ),
            (
                .p384,
                "c306610fb0ae5a159cf45c06069f22a6c5eb3641c602d42dea2c4b4f75550793"
                    + "406d80d2b91ad54f9048bd487af1ade1",
                "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe"
                    + "ffffffff0000000000000000ffffffff"
            ),
            (
                .p521,
                "00d20ec9fea6b577c10d26ca1bb446f40b299e648b1ad508aad068896fee3f8e614b"
                    + "c63054d5772bf01a65d412e0bcaa8e965d2f5d332d7f39f846d440ae001f4f87",
                "01ff" + String(repeating: "ff", count: 64)
            ),
        ] as [(KeyType, String, String)]
    )
    func coordinatesAtTheirLimits(_ type: KeyType, _ ordinate: String, _ prime: String) throws {
        let (y, p) = try (Hex.decode(ordinate), Hex.decode(prime))
        let zero = [UInt8](repeating: 0, count: y.count)
        #expect(try PublicKey(x963: [4] + zero + y, curve: type).x963 == [4] + zero + y)
        for fault in [p + y, zero + zero, zero + p, p + p, zero + Array(repeating: 0xFF, count: y.count)] {
            #expect(code { try PublicKey(x963: [4] + fault, curve: type) } == .invalidKey)
        }
        // The point at infinity is one octet of zero (SEC 1, section 2.3.3), whatever follows it.
        #expect(code { try PublicKey(x963: [0] + zero + zero, curve: type) } == .invalidKey)
        // The hybrid forms.
        for form in [UInt8(6), 7] {
            #expect(code { try PublicKey(x963: [form] + zero + y, curve: type) } == .invalidKey)
        }
    }

    @Test(arguments: [0, 31, 33])
    func ed25519Lengths(_ count: Int) {
        let bytes = Array(repeating: UInt8(1), count: count)
        #expect(code { try PublicKey(ed25519: bytes) } == .invalidKey)
        #expect(code { try PrivateKey(ed25519Seed: SecretBytes(bytes)) } == .invalidKey)
    }

    @Test(arguments: [0, 56, 58])
    func ed448Lengths(_ count: Int) {
        #expect(code { try PublicKey(ed448: Array(repeating: UInt8(1), count: count)) } == .invalidKey)
    }

    @Test(arguments: [KeyType.p256, .p384, .p521])
    func scalarsThatDoNotFit(_ type: KeyType) throws {
        let key = try TestKeys.key(type)
        let point = try #require(key.publicKey.x963)
        let other = try #require(try PrivateKey.generate(type).scalar())
        #expect(code { try PrivateKey(scalar: other, x963: point, curve: type) } == .invalidKey)
        let width = try #require(type.coordinateLength)
        for scalar in [SecretBytes(Array(repeating: 0, count: width)), SecretBytes([1]), SecretBytes([])] {
            #expect(code { try PrivateKey(scalar: scalar, x963: point, curve: type) } == .invalidKey)
        }
    }

    @Test func rsaNumbersThatDoNotFit() throws {
        var numbers = try #require(try TestKeys.key(.rsa(bits: 2048)).rsaNumbers())
        numbers.publicExponent = [3]
        #expect(code { try PrivateKey(rsa: numbers) } == .invalidKey)
    }

    /// Keys of other kinds, as `openssl genpkey -algorithm X -pubout` writes them.
    @Test(arguments: [
        // X25519
        "302a300506032b656e032100de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f",
        // secp256k1, the generator
        "3056301006072a8648ce3d020106052b8104000a0342000479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
            + "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8",
    ])
    func otherKinds(_ der: String) throws {
        #expect(code { try PublicKey(der: (try? Hex.decode(der)) ?? []) } == .unsupportedKey)
    }

    /// P-256 spelled out by its parameters (SEC 1, ECParameters), with its generator as the key.
    @Test func explicitCurve() throws {
        let p = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"
        let a = "ffffffff00000001000000000000000000000000fffffffffffffffffffffffc"
        let b = "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b"
        let n = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
        let g =
            "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
            + "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
        let field = "302c06072a8648ce3d0101022100" + p
        let curve = "3044" + "0420" + a + "0420" + b
        let parameters = "3081e0" + "020101" + field + curve + "0441" + g + "022100" + n + "020101"
        let algorithm = "3081ec" + "06072a8648ce3d0201" + parameters
        let key = "308201" + "33" + algorithm + "034200" + g
        #expect(code { try PublicKey(der: (try? Hex.decode(key)) ?? []) } == .unsupportedKey)
    }
}

import Encodings
import Testing

@testable import Cryptography

@Suite("RSA keys for PSS alone, and PKCS #1") struct PSSKeyTests {
    private let key: PrivateKey
    private let pkcs1: [UInt8]

    init() throws {
        key = try TestKeys.key(.rsa(bits: 2048))
        // Sequence, version, algorithm and the octet string's header come before the RSAPrivateKey.
        pkcs1 = try key.pkcs8DER().withBytes { span in (26..<span.count).map { span[$0] } }
    }

    private static let hashes: [(HashAlgorithm, [UInt8], SignatureAlgorithm)] = [
        (.sha256, DER.ObjectIdentifier.sha256, .rsaPSSSHA256),
        (.sha384, DER.ObjectIdentifier.sha384, .rsaPSSSHA384),
        (.sha512, DER.ObjectIdentifier.sha512, .rsaPSSSHA512),
    ]

    private static func hash(_ identifier: [UInt8]) -> [UInt8] {
        DER.sequence(DER.identifier(identifier), DER.element(.null, []))
    }

    private static func parameters(
        _ hash: [UInt8],
        mask: [UInt8]? = nil,
        generator: [UInt8] = DER.ObjectIdentifier.mgf1,
        salt: [UInt8]? = [32],
        rest: [UInt8] = []
    ) -> [UInt8] {
        DER.sequence(
            DER.element(.constructed(0), Self.hash(hash)),
            DER.element(
                .constructed(1),
                DER.sequence(DER.identifier(generator), Self.hash(mask ?? hash))
            ),
            salt.map { DER.element(.constructed(2), DER.element(.integer, $0)) } ?? [],
            rest
        )
    }

    private func algorithm(_ parameters: [UInt8]) -> [UInt8] {
        DER.sequence(DER.identifier(DER.ObjectIdentifier.rsassaPSS), parameters)
    }

    private func privateKey(_ parameters: [UInt8]) throws -> PrivateKey {
        let version = DER.element(.integer, [0])
        let der = DER.sequence(version, algorithm(parameters), DER.element(.octetString, pkcs1))
        return try PrivateKey(pem: PEM(label: "PRIVATE KEY", bytes: der).text)
    }

    private func publicKey(_ parameters: [UInt8]) throws -> PublicKey {
        let numbers = try SubjectPublicKeyInfo(key.publicKey.spkiDER).key
        return try PublicKey(der: DER.sequence(algorithm(parameters), DER.bitString(Array(numbers))))
    }

    @Test func withoutParametersEveryHashIsTaken() throws {
        let own = try privateKey([])
        #expect(own.keyType == .rsaPSS(bits: 2048, hash: nil))
        #expect(try publicKey([]) == own.publicKey && own.publicKey != key.publicKey)
        #expect(try PublicKey(pem: own.publicKey.pem) == own.publicKey)
        #expect(own.publicKey.rsaModulus == key.publicKey.rsaModulus)
        #expect(try PrivateKey(der: own.pkcs8DER()).publicKey == own.publicKey)
        for (_, _, algorithm) in Self.hashes {
            let signature = try own.sign(TestKeys.message, using: algorithm)
            for other in [own.publicKey, key.publicKey] {
                #expect(try other.isValidSignature(signature, for: TestKeys.message, using: algorithm))
            }
            #expect(try !own.publicKey.isValidSignature(signature, for: [1], using: algorithm))
        }
    }

    @Test func theOlderPaddingIsNot() throws {
        let own = try privateKey([])
        let signature = try key.sign(TestKeys.message, using: .rsaPKCS1SHA256)
        for algorithm in [SignatureAlgorithm.rsaPKCS1SHA256, .rsaPKCS1SHA384, .rsaPKCS1SHA512] {
            #expect(code { try own.sign(TestKeys.message, using: algorithm) } == .algorithmMismatch)
            let verdict = code {
                try own.publicKey.isValidSignature(signature, for: TestKeys.message, using: algorithm)
            }
            #expect(verdict == .algorithmMismatch)
        }
    }

    @Test(arguments: hashes.indices, [0, 20, nil, 32] as [UInt8?])
    func parametersNameTheOneHash(_ index: Int, salt: UInt8?) throws {
        let (hash, identifier, algorithm) = Self.hashes[index]
        // Twenty is the default, which DER leaves out.
        let parameters = Self.parameters(identifier, salt: salt == 20 ? nil : salt.map { [$0] })
        let own = try privateKey(parameters)
        #expect(own.keyType == .rsaPSS(bits: 2048, hash: hash))
        #expect(try publicKey(parameters) == own.publicKey)
        for (_, _, other) in Self.hashes where other != algorithm {
            #expect(code { try own.sign(TestKeys.message, using: other) } == .algorithmMismatch)
        }
        let signature = try own.sign(TestKeys.message, using: algorithm)
        #expect(try own.publicKey.isValidSignature(signature, for: TestKeys.message, using: algorithm))
    }

    static let refused: [[UInt8]] = [
        DER.element(.null, []), DER.sequence(),  // which means SHA-1
        parameters([0x2B, 0x0E, 0x03, 0x02, 0x1A]),  // SHA-1 itself
        parameters(DER.ObjectIdentifier.sha256, mask: DER.ObjectIdentifier.sha384),
        parameters(DER.ObjectIdentifier.sha256, generator: DER.ObjectIdentifier.rsassaPSS),
        parameters(DER.ObjectIdentifier.sha256, salt: [33]),
        parameters(DER.ObjectIdentifier.sha256, salt: [1, 0]),
        parameters(DER.ObjectIdentifier.sha256, salt: [0xFF]),
        parameters(
            DER.ObjectIdentifier.sha256,
            rest: DER.element(.constructed(3), DER.element(.integer, [1]))
        ),
        parameters(DER.ObjectIdentifier.sha256) + DER.element(.null, []),
    ]

    @Test(arguments: refused.indices) func otherParametersAreRefused(_ index: Int) {
        #expect(code { try publicKey(Self.refused[index]) } == .unsupportedKey)
        // Of a private key OpenSSL writes the public half anew, without the trailer that is the default.
        if index != 8 { #expect(throws: CryptographyError.self) { try privateKey(Self.refused[index]) } }
    }

    @Test func thePublicHalfMayComeAsPKCS1() throws {
        let numbers = Array(try SubjectPublicKeyInfo(key.publicKey.spkiDER).key)
        let pem = PEM(label: "RSA PUBLIC KEY", bytes: numbers).text
        #expect(try PublicKey(pem: pem) == key.publicKey)
        for octets in [numbers + [0], Array(numbers.dropLast()), key.publicKey.spkiDER] {
            let pem = PEM(label: "RSA PUBLIC KEY", bytes: octets).text
            #expect(code { try PublicKey(pem: pem) } == .invalidKey)
        }
    }

    @Test func suchKeysAreNotMade() {
        #expect(code { try PrivateKey.generate(.rsaPSS(bits: 2048, hash: nil)) } == .unsupportedKey)
    }
}

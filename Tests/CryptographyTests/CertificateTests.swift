import Cryptography
import FoundationEssentials
import Testing

@Suite struct CertificateTests {
    static let start: Int64 = 1_700_000_000
    static let end: Int64 = 2_600_000_000

    static func authority(
        _ key: PrivateKey,
        pathLength: Int? = 0
    ) throws(CryptographyError) -> Certificate {
        try CertificateBuilder(
            commonName: "Test, \"Authority\"",
            role: .authority(pathLength: pathLength),
            notBefore: start,
            notAfter: end
        ).selfSigned(with: key)
    }

    static func server(_ name: String = "leaf") -> CertificateBuilder {
        var builder = CertificateBuilder(commonName: name, role: .server, notBefore: start, notAfter: end)
        builder.dnsNames = ["localhost", "*.example.com"]
        builder.ipAddresses = ["127.0.0.1", "::1"]
        return builder
    }

    @Test(arguments: TestKeys.all)
    func issuedAndReadBack(_ key: PrivateKey) throws {
        let root = try Self.authority(key)
        #expect(root.isCA)
        #expect(root.subject == #"CN=Test\, \"Authority\""#)
        #expect(root.issuer == root.subject)
        #expect(root.dnsNames.isEmpty)
        let leafKey = try TestKeys.key(.p256).publicKey
        let leaf = try Self.server().issued(for: leafKey, by: root, key: key)
        #expect(!leaf.isCA)
        #expect(leaf.subject == "CN=leaf")
        #expect(leaf.issuer == root.subject)
        #expect(leaf.notBefore == Self.start)
        #expect(leaf.notAfter == Self.end)
        #expect(leaf.dnsNames == ["localhost", "*.example.com"])
        #expect(leaf.serialNumber.count == 32)
        #expect(leaf.serialNumber != root.serialNumber)
        #expect(try leaf.publicKey == leafKey)
        #expect(try leaf.subjectPublicKeyInfoSHA256 == leafKey.spkiSHA256())
        #expect(try Certificate(pem: leaf.pem) == leaf)
        #expect(try Certificate(der: leaf.der) == leaf)
        #expect(try Certificate.all(pem: "first\n" + root.pem + "\nsecond\n" + leaf.pem) == [root, leaf])
        #expect("\(leaf)" == "Certificate(CN=leaf, serial \(leaf.serialNumber))")
    }

    /// Another implementation of chain building agrees; its command line is the one part of OpenSSL not linked here.
    @Test(.enabled(if: OpenSSLCommand.isPresent), arguments: TestKeys.all)
    func commandLineAcceptsTheChain(_ key: PrivateKey) async throws {
        let root = try Self.authority(key, pathLength: 1)
        let middleKey = try TestKeys.key(.p384)
        let middle = try CertificateBuilder(
            commonName: "Middle",
            role: .authority(pathLength: 0),
            notBefore: Self.start,
            notAfter: Self.end
        ).issued(for: middleKey.publicKey, by: root, key: key)
        let leaf = try Self.server().issued(for: TestKeys.key(.ed25519).publicKey, by: middle, key: middleKey)
        var files: [String: String] = ["root.pem": root.pem, "middle.pem": middle.pem, "leaf.pem": leaf.pem]
        let arguments = [
            "verify", "-x509_strict", "-check_ss_sig", "-attime", "1800000000", "-purpose", "sslserver",
            "-CAfile", "root.pem", "-untrusted", "middle.pem", "leaf.pem",
        ]
        for name in [
            ["-verify_hostname", "localhost"], ["-verify_ip", "::1"], ["-verify_hostname", "a.example.com"],
        ] {
            #expect(
                try await OpenSSLCommand.run(
                    name.reduce(into: arguments) { $0.insert($1, at: $0.count - 1) },
                    files: files
                ) == 0
            )
        }
        let wrong = arguments.dropLast() + ["-verify_hostname", "example.org", "leaf.pem"]
        #expect(try await OpenSSLCommand.run(Array(wrong), files: files) != 0)
        files["root.pem"] = try Self.authority(TestKeys.key(.p256)).pem
        files["middle.pem"] = files["root.pem"]
        #expect(try await OpenSSLCommand.run(arguments, files: files) != 0)
    }

    /// Times on both sides of what the two ASN.1 forms hold, leap days among them.
    @Test(arguments: [
        0, 951_782_400, 951_868_799, 1_709_164_800, 2_524_607_999, 2_524_608_000, 4_107_542_400,
        253_402_300_799,
    ])
    func times(_ seconds: Int64) throws {
        var builder = Self.server()
        builder.notBefore = seconds
        builder.notAfter = seconds
        let certificate = try builder.selfSigned(with: TestKeys.key(.ed25519))
        #expect(certificate.notBefore == seconds)
        #expect(certificate.notAfter == seconds)
    }

    static let faults: [@Sendable (inout CertificateBuilder) -> Void] = [
        { $0.commonName = "" }, { $0.commonName = String(repeating: "a", count: 65) },
        { $0.notAfter = $0.notBefore - 1 }, { $0.notBefore = -1 }, { $0.notAfter = 253_402_300_800 },
        { $0.dnsNames = [""] }, { $0.dnsNames = ["a b"] }, { $0.dnsNames = ["a\0b"] },
        { $0.dnsNames = ["bücher.de"] },
        { $0.dnsNames = [String(repeating: "a", count: 254)] }, { $0.ipAddresses = ["127.0.0"] },
        { $0.ipAddresses = ["localhost"] }, { $0.role = .authority(pathLength: -1) },
        { $0.role = .authority(pathLength: 128) },
    ]

    @Test(arguments: faults.indices)
    func builderRefuses(_ index: Int) throws {
        var builder = Self.server()
        Self.faults[index](&builder)
        let key = try TestKeys.key(.p256)
        #expect(code { try builder.selfSigned(with: key) } == .invalidInput)
    }

    @Test func issuerMustBeAnAuthorityWithThatKey() throws {
        let key = try TestKeys.key(.p256)
        let other = try TestKeys.key(.p384)
        let leaf = try Self.server().selfSigned(with: key)
        #expect(
            code {
                try Self.server().issued(for: other.publicKey, by: leaf, key: key)
            } == .invalidInput
        )
        let root = try Self.authority(key)
        #expect(
            code {
                try Self.server().issued(for: other.publicKey, by: root, key: other)
            } == .invalidInput
        )
    }

    @Test func malformed() throws {
        let certificate = try Self.authority(TestKeys.key(.p256))
        for der in [[], [0x30], certificate.der + [0], Array(certificate.der.dropLast())] {
            #expect(code { try Certificate(der: der) } == .invalidCertificate)
        }
        let text = certificate.pem
        for fault in ["", "x\n" + text, text + text, text.replacing("CERTIFICATE", with: "PUBLIC KEY")] {
            #expect(code { try Certificate(pem: fault) } == .invalidPEM)
        }
        let key = try TestKeys.key(.p256).publicKey.pem
        for fault in ["", "no block", text + key] {
            #expect(code { try Certificate.all(pem: fault) } == .invalidPEM)
        }
    }

    /// The roots of the machine, made by many authorities, all read.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/etc/ssl/certs/ca-certificates.crt")))
    func systemRoots() throws {
        let bundle = try Data(contentsOf: URL(filePath: "/etc/ssl/certs/ca-certificates.crt"))
        let roots = try Certificate.all(pem: String(decoding: bundle, as: UTF8.self))
        #expect(!roots.isEmpty)
        #expect(roots.allSatisfy { !$0.subject.isEmpty && $0.notBefore < $0.notAfter })
    }
}

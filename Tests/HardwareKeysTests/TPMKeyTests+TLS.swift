import Cryptography
import HTTPMessages
import HTTPTransport
import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    fileprivate static var withServer: Self {
        .enabled(if: NginxDaemon.isPresent, Comment(rawValue: NginxDaemon.absence))
    }
}

/// Keys of TLS clients.
extension TPMKeyTests {
    private func refusal(
        of server: CertificateServer,
        _ session: CurlSession,
        _ location: SourceLocation = #_sourceLocation
    ) async throws -> TransportError {
        let error = try await #require(throws: TransportError.self, sourceLocation: location) {
            try await session.data(from: server.url)
        }
        #expect(
            error.code == .tlsFailed && error.phase == .securing && !error.isRetryable,
            "\(error)",
            sourceLocation: location
        )
        #expect(try await server.requests().isEmpty, sourceLocation: location)
        return error
    }

    @Test(.withServer, arguments: ["TLSv1.2", "TLSv1.3"], [KeyType.p256, .p384])
    func aServerSeesTheCertificate(version: String, type: KeyType) async throws {
        let tpm = try await SoftwareTPM()
        let server = try await CertificateServer(in: tpm.folder, "ssl_protocols \(version);")
        let key = try KeyProvider.tpm2().generateKey(type).privateKey
        for allowsHTTP2 in [true, false] {
            let session = try server.session("client-\(type)", key, allowsHTTP2: allowsHTTP2)
            for _ in 0..<3 {
                let text = try await session.data(from: server.url).text
                #expect(text == "CN=client-\(type) over \(version)")
            }
        }
        // Each session has one connection, and nothing but a signature of the TPM opens one.
        let requests = try await server.requests(6)
        #expect(Set(requests.map(\.connection)).count == 2 && requests.allSatisfy { !$0.isResumed })
    }

    @Test(.withServer, arguments: ["-tls1_2", "-tls1_3"])
    func openSSLTakesTheSignature(version: String) async throws {
        let tpm = try await SoftwareTPM()
        let server = try await CertificateServer(in: tpm.folder, "")
        let authority = try CertificateAuthority.shared.folder
        let port = Loopback.freePort()
        let daemon = try await Daemon(
            "openssl",
            [
                "s_server", "-accept", "127.0.0.1:\(port)", "-www", version, "-Verify", "2",
                "-verify_return_error", "-no_ticket", "-cert", authority["good.pem"], "-key",
                authority["good.key"], "-CAfile", authority["root.pem"],
            ],
            log: tpm.folder["s_server.log"],
            port: port
        )
        let session = try server.session("client", KeyProvider.tpm2().generateKey().privateKey)
        let text = try #require(try await session.data(from: "https://127.0.0.1:\(port)/").text)
        #expect(text.contains("Subject: CN=client") || text.contains("Subject: CN = client"))
        withExtendedLifetime(daemon) {}
    }

    /// A server may prefer another hash; a key of a device may be bound to its own.
    @Test(
        .withServer,
        arguments: [
            ("ECDSA+SHA512:ECDSA+SHA384:ECDSA+SHA256", true), ("ECDSA+SHA512:ECDSA+SHA384", false),
        ]
    )
    func theHashIsThatOfTheCurve(algorithms: String, isShown: Bool) async throws {
        let tpm = try await SoftwareTPM()
        try await tpm.makeLastingKey("0x81000001")
        let server = try await CertificateServer(
            in: tpm.folder,
            "ssl_protocols TLSv1.2; ssl_conf_command ClientSignatureAlgorithms \(algorithms);"
        )
        let key = try PrivateKey(storeURI: "handle:0x81000001", provider: KeyProvider.tpm2())
        let response = try await server.session("client", key).data(from: server.url)
        #expect(response.status == (isShown ? .ok : .badRequest))
        #expect(response.text?.contains("CN=client") == isShown)
    }

    @Test(.withServer, arguments: ["TLSv1.2", "TLSv1.3"])
    func aWrongPassphraseEndsTheHandshake(version: String) async throws {
        let tpm = try await SoftwareTPM()
        let server = try await CertificateServer(in: tpm.folder, "ssl_protocols \(version);")
        let provider = try KeyProvider.tpm2()
        let secret = SecretBytes(Array("secret".utf8))
        let made = try provider.generateKey(passphrase: secret)
        let wrong = SecretBytes(Array("mistake".utf8))
        let key = try PrivateKey(pem: made.pem, provider: provider, passphrase: wrong)
        let session = try server.session("client", key)
        let error = try await refusal(of: server, session)
        #expect(
            error.message
                == "the client's key cannot sign the handshake: wrongPassphrase, "
                + "the passphrase of the key is missing or wrong"
        )
        let right = try server.session("client", made.privateKey)
        #expect(try await right.data(from: server.url).status == .ok)
        withExtendedLifetime(tpm) {}
    }

    @Test(.withServer) func aLockedTPMEndsTheHandshake() async throws {
        let tpm = try await SoftwareTPM()
        let server = try await CertificateServer(in: tpm.folder, "")
        let provider = try KeyProvider.tpm2()
        let pem = try provider.generateKey(passphrase: SecretBytes(Array("secret".utf8))).pem
        let wrong = SecretBytes(Array("mistake".utf8))
        let key = try PrivateKey(pem: pem, provider: provider, passphrase: wrong)
        let session = try server.session("client", key)
        var message = ""
        for _ in 0..<6 { message = try await refusal(of: server, session).message }
        #expect(message.contains("deviceLocked"), "\(message)")
        withExtendedLifetime(tpm) {}
    }

    @Test(.withServer, arguments: ["TLSv1.2", "TLSv1.3"])
    func aTPMThatIsGoneEndsTheHandshake(version: String) async throws {
        let tpm = try await SoftwareTPM()
        let server = try await CertificateServer(in: tpm.folder, "ssl_protocols \(version);")
        let session = try server.session("client", KeyProvider.tpm2().generateKey().privateKey)
        tpm.stop()
        let message = try await refusal(of: server, session).message
        #expect(message.contains("providerUnavailable"), "\(message)")
    }

    /// It signs what the TPM itself has hashed, and nothing else.
    @Test(.withServer) func aRestrictedKeyEndsTheHandshake() async throws {
        let tpm = try await SoftwareTPM()
        try await tpm.makeLastingKey(
            "0x81000001",
            scheme: "ecc256:ecdsa-sha256:null",
            attributes: "restricted|sign"
        )
        let server = try await CertificateServer(in: tpm.folder, "")
        let key = try PrivateKey(storeURI: "handle:0x81000001", provider: KeyProvider.tpm2())
        try await expectSigns(key, tpm)
        let message = try await refusal(of: server, server.session("client", key)).message
        #expect(message.contains("the client's key cannot sign the handshake"), "\(message)")
    }

    @Test(.withServer, arguments: ["TLSv1.2", "TLSv1.3"])
    func manyHandshakesAndOthersShareTheTPM(version: String) async throws {
        let tpm = try await SoftwareTPM()
        let server = try await CertificateServer(
            in: tpm.folder,
            "ssl_protocols \(version); keepalive_timeout 0;"
        )
        let provider = try KeyProvider.tpm2()
        let key = try provider.generateKey().privateKey
        let other = try provider.generateKey().privateKey
        let sessions = try (0..<2).map { try server.session("client\($0)", key, allowsHTTP2: false) }
        let right = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let text = try await sessions[number % 2].data(from: server.url).text
                    return text == "CN=client\(number % 2) over \(version)" ? 1 : 0
                }
            }
            group.addTask {
                try await blocking {
                    try (0..<100).count { number in
                        let signature = try other.sign([UInt8(number)], using: .ecdsaP256SHA256)
                        return try other.publicKey.isValidSignature(
                            signature,
                            for: [UInt8(number)],
                            using: .ecdsaP256SHA256
                        )
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(right == 120)
        let requests = try await server.requests(20)
        #expect(requests.count == 20 && Set(requests.map(\.connection)).count == 20)
        #expect(requests.allSatisfy { !$0.isResumed })
        withExtendedLifetime(tpm) {}
    }

    @Test(.withServer) func aSessionLetsGoOfTheKey() async throws {
        let tpm = try await SoftwareTPM()
        let server = try await CertificateServer(in: tpm.folder, "")
        weak var provider: KeyProvider?
        do {
            let made = try KeyProvider.tpm2()
            provider = made
            let session = try server.session("client", made.generateKey().privateKey)
            #expect(try await session.data(from: server.url).status == .ok)
            session.close()
        }
        #expect(provider == nil)
        withExtendedLifetime(tpm) {}
    }

    @Test func aCertificateForAnotherKeyIsNoIdentity() async throws {
        let tpm = try await SoftwareTPM()
        let provider = try KeyProvider.tpm2()
        let (key, other) = (try provider.generateKey().privateKey, try provider.generateKey().privateKey)
        let certificate = try CertificateBuilder(
            commonName: "client",
            role: .client,
            notBefore: 1_700_000_000,
            notAfter: 4_000_000_000
        ).selfSigned(with: other)
        #expect(
            code { () throws(CryptographyError) in try ClientIdentity(chain: [certificate], key: key) }
                == .invalidKey
        )
        let identity = try ClientIdentity(chain: [certificate], key: other)
        #expect(identity.chain == [certificate] && "\(identity)".contains("client"))
        withExtendedLifetime(tpm) {}
    }
}

import Cryptography
import HTTPMessages
import MessageSignatures
import Protection
import Testing

/// Messages that a key signs which stays in the device.
extension TPMKeyTests {
    private func verify(
        _ request: HTTPRequest,
        _ label: String,
        with key: PublicKey
    ) throws -> VerifiedMessage {
        let key = try MessageVerificationKey(key, algorithm: .ecdsaP256SHA256)
        let verifier = MessageVerifier(
            policy: VerificationPolicy(requiredComponents: [.method, .targetURI, .contentDigest]),
            now: { 1_700_000_000 },
            key: { _ in key }
        )
        return try verifier.verify(SignableMessage(request), label: label)
    }

    private func request() throws -> HTTPRequest {
        try HTTPRequest(method: .post, url: "https://example.com/pay?to=1", body: HTTPBody("content"))
    }

    @Test func aMessageIsSigned() async throws {
        let tpm = try await SoftwareTPM()
        let key = try KeyProvider.tpm2().generateKey().privateKey
        let signer = MessageSigner(
            key: try MessageSigningKey(key, algorithm: .ecdsaP256SHA256),
            label: "sig1",
            components: [.method, .targetURI, .contentDigest],
            now: { 1_700_000_000 }
        )
        var signed = try signer.sign(request(), digesting: [.sha256])
        #expect(try verify(signed, "sig1", with: key.publicKey).isContentVerified)
        signed.method = .put
        #expect(throws: SignatureError.self) { try verify(signed, "sig1", with: key.publicKey) }
        withExtendedLifetime(tpm) {}
    }

    /// Several at a time: the device's work is done on threads that may wait, one after the other.
    @Test func theInstallationKeyOfTheServiceSigns() async throws {
        let tpm = try await SoftwareTPM()
        let provider = try KeyProvider.tpm2()
        let old = try provider.generateKey().privateKey
        let keys = try SigningKeys(installation: old)
        #expect(keys.installationKey?.isHardwareBound == true)
        let signatures = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<4 {
                group.addTask { try await keys.installationSignature(of: Self.message, publicKey: nil) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(signatures.count == 4)
        for signature in signatures {
            #expect(signature.count == 64)
            #expect(
                try old.publicKey.isValidSignature(signature, for: Self.message, using: .ecdsaP256SHA256)
            )
        }
        // The token names the key: the one before signs on after a new one has come.
        let new = try provider.generateKey().privateKey
        try keys.setInstallationKey(new)
        for key in [old, new] {
            let octets = try await keys.installationSignature(
                of: Self.message,
                publicKey: key.publicKey.spkiDER
            )
            #expect(try key.publicKey.isValidSignature(octets, for: Self.message, using: .ecdsaP256SHA256))
        }
        withExtendedLifetime(tpm) {}
    }

    @Test func aDeviceThatIsGoneStopsTheSigning() async throws {
        let tpm = try await SoftwareTPM()
        let keys = try SigningKeys(installation: try KeyProvider.tpm2().generateKey().privateKey)
        tpm.stop()
        let error = await #expect(throws: ProtectionError.self) {
            try await keys.installationSignature(of: Self.message, publicKey: nil)
        }
        // It may be back for the next request.
        #expect(error?.code == .networking && error?.underlying is CryptographyError)
    }
}

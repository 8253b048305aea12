import AppAttestation
import AppAttestationClient
import Cryptography
import Encodings
import TestSupport
import Testing

/// Keys that attest themselves and sign requests.
extension TPMKeyTests {
    private static let appID = "org.example.app"
    private static let hash = [UInt8](repeating: 7, count: 32)

    private func enrol(_ object: [UInt8], _ keyID: String) throws -> AttestedKey {
        try AttestationVerifier(appIDs: [Self.appID], formats: [InstallationKeyFormat()]).verify(
            object,
            keyID: Base64.standard.decode(keyID),
            clientDataHash: Self.hash
        ).key
    }

    private func counter(_ object: [UInt8], _ key: AttestedKey) throws -> UInt32 {
        try AssertionVerifier().verify(object, clientDataHash: Self.hash, key: key).counter
    }

    private func clientCode(_ body: () throws -> Void) -> AttestationClientError.Code? {
        do {
            try body()
            return nil
        } catch { return (error as? AttestationClientError)?.code }
    }

    @Test func aGeneratedKeyIsAttestedAndAsserts() async throws {
        let tpm = try await SoftwareTPM()
        let device = try KeyProvider.tpm2()
        func provider() -> DeviceAttestationProvider {
            DeviceAttestationProvider(generatingIn: device, directory: tpm.folder.path, appID: Self.appID)
        }
        let first = provider()
        #expect(first.isSupported)
        let keyID = try first.generateKey()
        let key = try enrol(first.attestKey(keyID, clientDataHash: Self.hash), keyID)
        #expect(try counter(first.generateAssertion(keyID, clientDataHash: Self.hash), key) == 1)
        // Another process loads the key from its text, and goes on counting.
        let second = provider()
        #expect(try counter(second.generateAssertion(keyID, clientDataHash: Self.hash), key) == 2)
        #expect(try counter(first.generateAssertion(keyID, clientDataHash: Self.hash), key) == 3)
        #expect(
            clientCode { _ = try first.attestKey(keyID, clientDataHash: [1]) } == .invalidClientDataHash
        )
        try second.removeKey(keyID)
        #expect(
            clientCode { _ = try provider().attestKey(keyID, clientDataHash: Self.hash) } == .keyInvalid
        )
        withExtendedLifetime(tpm) {}
    }

    @Test func anotherProcessLearnsThatAGeneratedKeyWasRemoved() async throws {
        let tpm = try await SoftwareTPM()
        let device = try KeyProvider.tpm2()
        let providers = (0..<2).map { _ in
            DeviceAttestationProvider(generatingIn: device, directory: tpm.folder.path, appID: Self.appID)
        }
        let keyID = try providers[0].generateKey()
        _ = try providers[1].generateAssertion(keyID, clientDataHash: Self.hash)
        try providers[0].removeKey(keyID)
        // The second has the key in memory, and the counter is gone.
        for _ in 0..<2 {
            #expect(
                clientCode { _ = try providers[1].generateAssertion(keyID, clientDataHash: Self.hash) }
                    == .keyInvalid
            )
        }
        #expect(
            clientCode { _ = try providers[1].attestKey(keyID, clientDataHash: Self.hash) } == .keyInvalid
        )
        withExtendedLifetime(tpm) {}
    }

    @Test func anotherProcessLearnsThatALastingKeyWasRetired() async throws {
        let tpm = try await SoftwareTPM()
        try await tpm.makeLastingKey("0x81000001")
        let device = try KeyProvider.tpm2()
        let providers = (0..<2).map { _ in
            DeviceAttestationProvider(
                keysAt: ["handle:0x81000001"],
                in: device,
                directory: tpm.folder.path,
                appID: Self.appID
            )
        }
        let keyID = try providers[0].generateKey()
        _ = try providers[1].generateAssertion(keyID, clientDataHash: Self.hash)
        try providers[0].removeKey(keyID)
        #expect(
            clientCode { _ = try providers[1].generateAssertion(keyID, clientDataHash: Self.hash) }
                == .keyInvalid
        )
        #expect(
            clientCode { _ = try providers[1].attestKey(keyID, clientDataHash: Self.hash) } == .keyInvalid
        )
        withExtendedLifetime(tpm) {}
    }

    @Test func aTPMThatIsGoneMayComeBack() async throws {
        let tpm = try await SoftwareTPM()
        let device = try KeyProvider.tpm2()
        let provider = DeviceAttestationProvider(
            generatingIn: device,
            directory: tpm.folder.path,
            appID: Self.appID
        )
        let keyID = try provider.generateKey()
        tpm.stop()
        for _ in 0..<2 {
            #expect(
                clientCode { _ = try provider.attestKey(keyID, clientDataHash: Self.hash) } == .unavailable
            )
        }
        #expect(clientCode { _ = try provider.generateKey() } == .unavailable)
    }

    @Test func aClearedTPMHasNoKey() async throws {
        let tpm = try await SoftwareTPM()
        let keyID = try DeviceAttestationProvider(
            generatingIn: KeyProvider.tpm2(),
            directory: tpm.folder.path,
            appID: Self.appID
        ).generateKey()
        try await tpm.shell("tpm2_clear -c p")
        let provider = DeviceAttestationProvider(
            generatingIn: try KeyProvider.tpm2(),
            directory: tpm.folder.path,
            appID: Self.appID
        )
        #expect(clientCode { _ = try provider.attestKey(keyID, clientDataHash: Self.hash) } == .keyInvalid)
    }

    @Test func lastingKeysAreUsedOneAfterTheOther() async throws {
        let tpm = try await SoftwareTPM()
        try await tpm.makeLastingKey("0x81000001")
        try await tpm.makeLastingKey("0x81000002")
        let device = try KeyProvider.tpm2()
        func provider(_ places: [String]) -> DeviceAttestationProvider {
            DeviceAttestationProvider(
                keysAt: places,
                in: device,
                directory: tpm.folder.path,
                appID: Self.appID
            )
        }
        let places = ["handle:0x81000001", "handle:0x81000002"]
        #expect(!provider([]).isSupported)
        let first = try provider(places).generateKey()
        #expect(try provider(places).generateKey() == first)
        let key = try enrol(provider(places).attestKey(first, clientDataHash: Self.hash), first)
        #expect(
            try counter(provider(places).generateAssertion(first, clientDataHash: Self.hash), key) == 1
        )
        try provider(places).removeKey(first)
        #expect(
            clientCode { _ = try provider(places).attestKey(first, clientDataHash: Self.hash) }
                == .keyInvalid
        )
        let second = try provider(places).generateKey()
        #expect(second != first)
        try provider(places).removeKey(second)
        #expect(clientCode { _ = try provider(places).generateKey() } == .exhausted)
        #expect(clientCode { _ = try provider(["handle:0x81000009"]).generateKey() } == .keyInvalid)
        withExtendedLifetime(tpm) {}
    }

    @Test func aKeyOfAnotherCurveIsNoUse() async throws {
        let tpm = try await SoftwareTPM()
        try await tpm.makeLastingKey("0x81000001", scheme: "ecc384:ecdsa-sha384")
        let provider = DeviceAttestationProvider(
            keysAt: ["handle:0x81000001"],
            in: try KeyProvider.tpm2(),
            directory: tpm.folder.path,
            appID: Self.appID
        )
        #expect(clientCode { _ = try provider.generateKey() } == .cryptographyFailure)
        withExtendedLifetime(tpm) {}
    }
}

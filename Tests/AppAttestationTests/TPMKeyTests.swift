import AppAttestation
import Testing

@Suite("Where a TPM's key is") struct TPMKeyTests {
    private let mint: TPMMint

    init() throws { mint = try TPMMint() }

    private func verify(_ attributes: UInt32, allowsPortableKeys: Bool = false) throws {
        _ = try mint.verifier(allowsPortableKeys: allowsPortableKeys).verify(
            mint.attestation(attributes: attributes),
            keyID: mint.keyID,
            clientDataHash: TestMint.hash
        )
    }

    @Test(arguments: [0x0004_0072, 0x0004_0032, 0xFFFF_FFFF])
    func aKeyThatStaysIsTaken(attributes: UInt32) throws {
        try verify(attributes)
    }

    /// Each without one attribute: fixedTPM, fixedParent, sensitiveDataOrigin; and the key of WebAuthn's own example.
    @Test(arguments: [0x0004_0070, 0x0004_0062, 0x0004_0052, 0x0004_0000])
    func aKeyThatMayBeElsewhereIsTakenOnRequestOnly(attributes: UInt32) throws {
        let error = try #require(throws: AttestationError.self) { try verify(attributes) }
        #expect(error.code == .portableKeyNotAllowed)
        try verify(attributes, allowsPortableKeys: true)
    }
}

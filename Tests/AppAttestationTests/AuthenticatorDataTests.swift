import AppAttestation
import Testing

@Suite("Authenticator data") struct AuthenticatorDataTests {
    /// WebAuthn Level 3, section 6.1: bit 0 is UP, bit 2 is UV.
    @Test(
        arguments: [
            (0x00, false, false), (0x01, true, false), (0x04, false, true), (0x05, true, true),
            (0x3A, false, false),
        ] as [(UInt8, Bool, Bool)]
    )
    func theFlagsOfThePerson(flags: UInt8, isPresent: Bool, isVerified: Bool) throws {
        let mint = try TestMint()
        let data = try AssertionVerifier().verify(
            mint.assertion(counter: 1, flags: flags),
            clientDataHash: TestMint.hash,
            key: mint.attestedKey()
        ).authenticatorData
        #expect(data.isUserPresent == isPresent && data.isUserVerified == isVerified)
    }
}

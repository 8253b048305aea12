import AppAttestation
import AppAttestationClient
import AttestationAuthority
import Cryptography
import Testing

/// Stores, backends and providers are the app's, and so is the text of their errors.
@Suite("Errors under errors") struct CauseTests {
    struct ForeignError: Error, CustomStringConvertible {
        let description = "SECRET"
    }

    private static func errors(over cause: any Error) -> [any Error & CustomStringConvertible] {
        [
            AuthorityError(.storeFailed, "message", underlying: cause),
            AttestationError(.storeFailed, "message", underlying: cause),
            AttestationClientError(.storeFailed, "message", underlying: cause),
        ]
    }

    @Test func aForeignErrorIsNamedByItsTypeAlone() {
        for error in Self.errors(over: ForeignError()) {
            #expect(error.description == "storeFailed: message (ForeignError)")
        }
    }

    @Test func anErrorOfThePackageIsShown() {
        let cause = CryptographyError(.wrongPassphrase, "no")
        for error in Self.errors(over: cause) {
            #expect(error.description == "storeFailed: message (wrongPassphrase: no)")
        }
        for error in Self.errors(over: AuthorityError(.storeFailed, "inner", underlying: ForeignError())) {
            #expect(error.description == "storeFailed: message (storeFailed: inner (ForeignError))")
        }
    }
}

import AppAttestation
import Encodings

/// One check of a verifier, with the codes that tell its failure.
///
/// The lists stand in the verifiers' own order, so that a code tells which checks were passed before it.
struct AttestCheck: Sendable {
    let name: String
    let codes: Set<AttestationError.Code>

    private init(_ name: String, _ codes: Set<AttestationError.Code>) {
        self.name = name
        self.codes = codes
    }

    private static let input = [
        AttestCheck("client data hash", [.invalidClientDataHash]),
        AttestCheck("object", [.malformedObject, .malformedAuthenticatorData, .unsupportedKey]),
    ]
    private static let authenticator = [
        AttestCheck("key identifier", [.keyIDMismatch]),
        AttestCheck("app identifier", [.appIDMismatch]),
        AttestCheck("counter", [.counterNotZero]),
        AttestCheck("authenticator", [.unknownAuthenticator]),
    ]

    /// Those of App Attest.
    static let apple =
        input + [
            AttestCheck("format", [.unknownFormat]),
            AttestCheck("statement", [.malformedStatement, .certificateCount]),
            AttestCheck(
                "certificates",
                [
                    .invalidCertificate, .certificateExpired, .certificateNotYetValid, .untrustedCertificate,
                    .libraryFailure,
                ]
            ),
            AttestCheck("nonce", [.missingNonce, .nonceMismatch]),
        ] + authenticator + [
            AttestCheck("environment", [.environmentNotAllowed]),
            AttestCheck("extensions", [.malformedExtensions, .extensionsNotAllowed]),
            AttestCheck("credential identifier", [.credentialIDMismatch]),
            AttestCheck("public key", [.keyMismatch]),
        ]

    /// Those of keys that vouch for themselves.
    static let installation =
        input + [
            AttestCheck("format", [.unknownFormat]),
            AttestCheck("statement", [.malformedStatement, .unsupportedAlgorithm]),
            AttestCheck("signature", [.invalidSignature, .libraryFailure]),
        ] + authenticator + [AttestCheck("credential identifier", [.credentialIDMismatch])]

    /// Those of assertions.
    static let assertion = [
        AttestCheck("object", [.malformedObject]),
        AttestCheck("client data hash", [.invalidClientDataHash]),
        AttestCheck("authenticator data", [.malformedAuthenticatorData]),
        AttestCheck("signature", [.invalidSignature, .unsupportedAlgorithm, .libraryFailure]),
        AttestCheck("app identifier", [.appIDMismatch]),
        AttestCheck("counter", [.counterNotAdvanced]),
        AttestCheck("extensions", [.malformedExtensions, .extensionsNotAllowed]),
    ]

    /// How the checks ended, when the verifier stopped with a code or did not stop.
    static func results(_ checks: [AttestCheck], _ code: AttestationError.Code?) -> [Result] {
        let failed = code.flatMap { code in checks.firstIndex { $0.codes.contains(code) } }
        return checks.enumerated().map { index, check in
            guard code != nil else { return Result(name: check.name, state: .passed) }
            guard let failed else { return Result(name: check.name, state: .notReached) }
            let state: State = index < failed ? .passed : index == failed ? .failed : .notReached
            return Result(name: check.name, state: state)
        }
    }

    enum State: String, Sendable { case passed, failed, notReached }

    struct Result: Sendable {
        let name: String
        let state: State

        func text(_ style: TextStyle) -> String {
            switch state {
            case .passed: "\(style.green("passed"))       \(name)"
            case .failed: "\(style.red("FAILED"))       \(name)"
            case .notReached: "not reached  \(name)"
            }
        }

        var json: JSONValue { ["name": .string(name), "result": .string(state.rawValue)] }
    }
}

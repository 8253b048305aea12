internal import Cryptography

/// What a backend gives for one attestation.
public struct AttestationChallenge: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// Binds the attestation to this challenge.
    public let sessionID: String
    /// What the attestation must answer, once.
    public let nonce: String

    /// Makes a challenge.
    public init(sessionID: String, nonce: String) {
        self.sessionID = sessionID
        self.nonce = nonce
    }

    /// The SHA-256 of the nonce's text in UTF-8.
    ///
    /// - Throws: ``AttestationClientError`` with code `cryptographyFailure`.
    public func clientDataHash() throws(AttestationClientError) -> [UInt8] {
        try AttestationClientError.cryptography { () throws(CryptographyError) in
            try HashAlgorithm.sha256.hash(Array(nonce.utf8))
        }
    }

    /// The type; both values are the backend's secrets and are not shown.
    public var description: String { "AttestationChallenge" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

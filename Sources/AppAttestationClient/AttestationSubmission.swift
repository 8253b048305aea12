/// A new key as it is shown to a backend.
public struct AttestationSubmission: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The session of the challenge.
    public let sessionID: String
    /// The key's identifier, in Base 64.
    public let keyID: String
    /// The attestation object, in CBOR.
    public let attestation: [UInt8]

    /// Makes a submission.
    public init(sessionID: String, keyID: String, attestation: [UInt8]) {
        self.sessionID = sessionID
        self.keyID = keyID
        self.attestation = attestation
    }

    /// The length of the object; the values are not shown.
    public var description: String { "AttestationSubmission(\(attestation.count) octets)" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

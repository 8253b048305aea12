/// How far an ``AttestationService`` has come.
public enum AttestationState: Sendable, CustomStringConvertible, CustomReflectable {
    /// It was not started.
    case idle
    /// It makes a key and has it attested, or waits for another process that does.
    case attesting
    /// It has an attested key, of this identifier.
    case attested(keyID: String)
    /// It has none, for this reason; a transient failure is tried again after its
    /// ``AttestationClientError/retryAfter``; a permanent one has none. See ``AttestationService/attestedKeyID(deadline:)``.
    case failed(AttestationClientError)

    /// The name of the state; the key identifier is not shown.
    public var description: String {
        switch self {
        case .idle: "idle"
        case .attesting: "attesting"
        case .attested: "attested"
        case .failed(let error): "failed (\(error.code))"
        }
    }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

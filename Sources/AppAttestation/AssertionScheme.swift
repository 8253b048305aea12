/// How assertions are signed and counted.
public enum AssertionScheme: String, Sendable, Hashable {
    /// App Attest: the signed message is the SHA-256 of authenticator data and client data hash, hashed once more by ECDSA;
    /// every assertion has a higher counter.
    case appAttest
    /// WebAuthn: the signed message is the authenticator data and the client data hash; a counter that stays at zero
    /// says that the authenticator does not count.
    case webAuthn
}

/// The two kinds of keys that can be attested, each under a path of its own.
public enum AttestationKind: String, Sendable, Hashable, CaseIterable {
    /// Keys of App Attest, under `/apple`.
    case apple
    /// Keys of installations of this library's client, under `/installations`.
    case installations
}

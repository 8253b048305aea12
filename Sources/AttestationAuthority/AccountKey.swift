public import Cryptography

/// A key that an account's installations share with its backends, for message signatures by HMAC.
///
/// Neither the description nor a dump shows the secret.
public struct AccountKey: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The name: the `mskid` claim.
    public let id: String
    /// The key, which is cleared from memory when the last reference goes.
    public let secret: SecretBytes

    /// Makes a key of its parts, for a store that has kept them.
    public init(id: String, secret: SecretBytes) {
        self.id = id
        self.secret = secret
    }

    /// Feeds the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// The name.
    public var description: String { "AccountKey(\(id))" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What vouched for an attested key, which a backend keeps with the key and asks for with each request.
///
/// A key that vouches for itself alone and one that Apple vouches for sign in the same form, so that nothing but this
/// tells them apart once they are in one store.
public struct AttestedKeyFormat: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The stable name, to be stored.
    public let rawValue: String

    /// Takes a stored name, or that of a format of one's own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Apple: ``AppleAppAttestFormat``.
    public static let appleAppAttest = AttestedKeyFormat(rawValue: "apple-appattest")
    /// A chain of certificates of an authenticator: ``PackedFormat``.
    public static let packed = AttestedKeyFormat(rawValue: "packed")
    /// A TPM: ``TPMFormat``.
    public static let tpm = AttestedKeyFormat(rawValue: "tpm")
    /// Nobody but the key itself, which anyone can make: ``InstallationKeyFormat``.
    public static let installationKey = AttestedKeyFormat(rawValue: "swift-protection")
    /// Nobody but the key itself, which anyone can make: ``PackedFormat`` without certificates.
    public static let selfAttested = AttestedKeyFormat(rawValue: "packed-self")

    /// The name.
    public var description: String { rawValue }
}

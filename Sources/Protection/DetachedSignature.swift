import Encodings

/// A signature of the installation or account key, apart from any message.
public struct DetachedSignature: Sendable, Hashable {
    /// The octets: `r` and `s` for the installation key, the HMAC for the account key.
    public let bytes: [UInt8]

    /// The octets in standard Base 64 with padding.
    public var base64: String { Base64.standard.encode(bytes) }
}

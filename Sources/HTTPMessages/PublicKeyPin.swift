import Encodings

/// The SHA-256 of a SubjectPublicKeyInfo: what a pin compares (RFC 7469, section 2.4).
///
/// A key outlives its certificates, so a pin holds over their renewals.
public struct PublicKeyPin: Sendable, Hashable, CustomStringConvertible {
    /// The hash, 32 octets.
    public let sha256: [UInt8]

    /// Takes a hash.
    ///
    /// - Throws: ``HTTPMessageError`` with code `invalidPin` for another length than 32 octets.
    public init(sha256: [UInt8]) throws(HTTPMessageError) {
        guard sha256.count == 32 else {
            throw HTTPMessageError(.invalidPin, "a pin is the SHA-256 of a key, 32 octets")
        }
        self.sha256 = sha256
    }

    /// Reads a hash in standard Base 64, with or without `sha256/` in front.
    ///
    /// - Throws: ``HTTPMessageError`` with code `invalidPin`.
    public init(parsing text: String) throws(HTTPMessageError) {
        let encoded = text.hasPrefix("sha256/") ? text.dropFirst(7) : text[...]
        guard let hash = try? Base64.standard.decode(encoded) else {
            throw HTTPMessageError(.invalidPin, "a pin is Base 64 with padding")
        }
        try self.init(sha256: hash)
    }

    /// The hash in standard Base 64.
    public var base64: String { Base64.standard.encode(sha256) }

    /// `sha256/` and the hash in standard Base 64.
    public var description: String { "sha256/" + base64 }
}

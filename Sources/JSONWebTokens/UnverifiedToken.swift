import Encodings

/// A token that was taken apart and not checked: its signature may be anybody's.
///
/// For choosing a key and for logs. Decisions need a ``VerifiedToken``.
public struct UnverifiedToken: Sendable {
    /// The longest token that is read by default: 16 KiB, about what servers take in one header field.
    public static let defaultMaximumSize = 16 * 1024

    /// The header.
    public let header: TokenHeader
    /// What the token says, for which nobody has vouched.
    public let unverifiedClaims: TokenClaims

    /// Reads a token in the compact serialization of RFC 7515, section 7.1.
    ///
    /// - Parameters:
    ///   - text: Three parts of canonical base64url with dots between them.
    ///   - maximumSize: The most octets that are read.
    /// - Throws: ``TokenError`` with code `tooLarge`, `malformed`, `invalidEncoding`, `duplicateMember`, `invalidHeader`,
    ///   `invalidClaims` or `unsupportedCriticalHeader`.
    public init(parsing text: String, maximumSize: Int = defaultMaximumSize) throws(TokenError) {
        let compact = try CompactSerialization(text, maximumSize: maximumSize)
        _ = try compact.signature()
        header = compact.header
        unverifiedClaims = try compact.claims()
    }

    /// The claims as JSON in one line, for logs: without the signature it is no token.
    public var loggableForm: String { String(decoding: unverifiedClaims.members.serialized(), as: UTF8.self) }
}

extension UnverifiedToken: CustomStringConvertible, CustomReflectable {
    /// The algorithm that the header names, and nothing of the claims.
    public var description: String {
        "UnverifiedToken(\(TokenAlgorithm(name: header.algorithm)?.rawValue ?? "unknown"))"
    }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

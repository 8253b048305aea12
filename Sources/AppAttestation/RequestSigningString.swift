import Cryptography

/// How the string is built that an assertion signs for a request; client and backend must build the same.
///
/// It is octets: the body goes in as it is sent, whether or not it is text. The client reads the body of a file to sign
/// it, and refuses a stream, which could not be read twice.
public struct RequestSigningString: Sendable {
    /// What of a request can be signed.
    public struct Parts: Sendable, Hashable {
        /// The method as it is sent; methods differ by case.
        public var method: String
        /// The host, and the port when it is not the scheme's own, as `Host` gives them.
        public var authority: String
        /// Path and query exactly as they are sent: `/path?query`.
        public var path: String
        /// The text of the timestamp field.
        public var timestamp: String
        /// The content; empty when there is none.
        public var body: [UInt8]

        /// Makes parts.
        public init(method: String, authority: String, path: String, timestamp: String, body: [UInt8]) {
            self.method = method
            self.authority = authority
            self.path = path
            self.timestamp = timestamp
            self.body = body
        }
    }

    private let build: @Sendable (Parts) throws(AttestationError) -> [UInt8]

    /// Makes a builder of one's own.
    ///
    /// - Parameter build: Puts the parts together. Two requests that differ must give different octets; where they
    ///   would not, it throws.
    public init(_ build: @escaping @Sendable (Parts) throws(AttestationError) -> [UInt8]) {
        self.build = build
    }

    /// `METHOD|path|timestamp|body`.
    ///
    /// A path that does not begin with a slash, and a `|` in the path, the query or the timestamp, are refused, because
    /// one string could then stand for two requests: such a query is written with `%7C`. The host is not in it, so keep
    /// a key for one backend.
    public static let standard = RequestSigningString { parts throws(AttestationError) in
        let bar = UInt8(ascii: "|")
        guard parts.path.utf8.first == UInt8(ascii: "/"), !parts.method.utf8.contains(UInt8(ascii: "/")),
            !parts.path.utf8.contains(bar), !parts.timestamp.utf8.contains(bar)
        else {
            throw AttestationError(
                .ambiguousSigningString,
                "the string to sign could stand for another request as well"
            )
        }
        var octets = Array(parts.method.utf8)
        for part in [parts.path, parts.timestamp] {
            octets.append(bar)
            octets += part.utf8
        }
        octets.append(bar)
        return octets + parts.body
    }

    /// Puts the parts together.
    ///
    /// - Throws: ``AttestationError`` with code `ambiguousSigningString`, or what a builder of one's own throws.
    public func octets(for parts: Parts) throws(AttestationError) -> [UInt8] { try build(parts) }

    /// The client data hash of a request: the SHA-256 of ``octets(for:)``.
    ///
    /// - Throws: ``AttestationError`` as ``octets(for:)``; with code `libraryFailure`.
    public func clientDataHash(for parts: Parts) throws(AttestationError) -> [UInt8] {
        try AppIdentity.hash(octets(for: parts))
    }
}

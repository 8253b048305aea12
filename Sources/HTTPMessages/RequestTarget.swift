/// An absolute `http` or `https` URL, kept as the exact text that goes on the wire and split once.
///
/// Policy, pins, signatures and the transport all read this one split, so they cannot disagree on the host. The text
/// is checked strictly (RFC 3986) and never normalised: dot segments, doubled slashes and percent-encodings stay as
/// written. Two things change: a fragment, which is never sent, is dropped, and an empty path becomes `/`
/// (RFC 9110, section 4.2.3).
public struct RequestTarget: Sendable, Hashable, CustomStringConvertible {
    /// The whole URL as it is sent, without a fragment.
    public let absoluteString: String
    /// `http` or `https`, in lower case.
    public let scheme: String
    /// The host in lower case; an IPv6 address keeps its brackets.
    public let host: String
    /// The port, written or implied by the scheme.
    public let port: Int
    /// The path as written; never empty.
    public let path: String
    /// The query as written, without its `?`; nil when there is none, which differs from an empty one.
    public let query: String?

    /// Splits a URL.
    ///
    /// - Throws: ``HTTPMessageError``, with the offset of the fault, when the scheme is not `http` or `https`; when a
    ///   user is named; when the host is missing, ends in a dot or is neither a name, an IPv4 nor a bracketed IPv6
    ///   address; when the port is not in 1...65535; when a character is one a URL cannot hold (an
    ///   internationalised host must be given in its ASCII form); when a `%` is not followed by two digits.
    public init(_ url: String) throws(HTTPMessageError) {
        var parser = RequestTargetParser(url)
        self = try parser.parse()
    }

    init(scheme: String, host: String, port: Int, path: String, query: String?, prefix: String) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
        self.query = query
        absoluteString = prefix + path + (query.map { "?\($0)" } ?? "")
    }

    /// Whether the scheme is `https`.
    public var isSecure: Bool { scheme == "https" }

    /// Whether the host is this machine by name or address: `localhost`, 127.0.0.0/8 or `[::1]`.
    public var isLoopback: Bool {
        guard host.utf8.starts(with: "127.".utf8) else { return host == "localhost" || host == "[::1]" }
        let octets = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return octets.count == 4 && octets.allSatisfy { UInt8(Substring($0)) != nil }
    }

    /// Host and port as `@authority` and `Host` give them: the port only when it is not the scheme's own.
    public var authority: String { port == Self.defaultPort(of: scheme) ? host : "\(host):\(port)" }

    /// Path and query as the first line of a request gives them (RFC 9112, section 3.2.1).
    public var originForm: String { query.map { "\(path)?\($0)" } ?? path }

    /// Scheme, host and port: what two URLs share when they belong to one origin (RFC 6454, section 4).
    public var origin: String { "\(scheme)://\(host):\(port)" }

    /// Scheme, authority and path; a query may hold a secret and is not shown.
    public var description: String { "\(scheme)://\(authority)\(path)" }

    /// The same target with another query, written as it will be sent; nil removes the query.
    ///
    /// - Throws: ``HTTPMessageError`` when the query holds a character that a URL cannot.
    public func replacingQuery(_ query: String?) throws(HTTPMessageError) -> RequestTarget {
        let end = absoluteString.utf8.firstIndex(of: UInt8(ascii: "?")) ?? absoluteString.endIndex
        return try RequestTarget(absoluteString[..<end] + (query.map { "?\($0)" } ?? ""))
    }

    static func defaultPort(of scheme: String) -> Int { scheme == "https" ? 443 : 80 }
}

extension RequestTarget: CustomReflectable {
    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

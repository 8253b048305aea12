/// A host, or every host one label below a domain: `api.example.com` or `*.example.com`.
///
/// A wildcard stands for exactly one label, as in certificates (RFC 9525, section 6.3): `*.example.com` covers
/// `a.example.com`, but neither `example.com` nor `a.b.example.com`.
public struct HostPattern: Sendable, Hashable, CustomStringConvertible {
    /// The pattern in lower case.
    public let description: String
    /// The domain with its leading dot when the pattern is a wildcard.
    private let suffix: String?

    /// Makes a pattern.
    ///
    /// - Throws: ``HTTPMessageError`` with code `invalidHost` when the text is neither a host that a URL can name nor
    ///   `*.` and such a host.
    public init(_ pattern: String) throws(HTTPMessageError) {
        let isWildcard = pattern.hasPrefix("*.")
        let host = isWildcard ? String(pattern.dropFirst(2)) : pattern
        guard let target = try? RequestTarget("https://\(host)/"), target.host.utf8.count == host.utf8.count
        else {
            throw HTTPMessageError(.invalidHost, "the pattern is neither a host nor *. and a host")
        }
        suffix = isWildcard ? "." + target.host : nil
        description = isWildcard ? "*." + target.host : target.host
    }

    /// Whether the pattern stands for more than one host.
    public var isWildcard: Bool { suffix != nil }

    /// Whether the pattern covers a host, given in lower case as ``RequestTarget/host`` is.
    public func matches(_ host: String) -> Bool {
        guard let suffix else { return host == description }
        guard host.hasSuffix(suffix) else { return false }
        let label = host.dropLast(suffix.count)
        return !label.isEmpty && !label.contains(".")
    }
}

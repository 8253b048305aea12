package import HTTPMessages

/// A URI reference, split as in RFC 3986, appendix B, with its fragment dropped: it never goes on the wire.
package struct URLReference {
    /// What stands before the first colon, when that is in no later part.
    package let scheme: Substring?
    private let authority: Substring?
    private let path: Substring
    private let query: Substring?

    /// Splits a reference.
    package init(_ text: String) {
        var rest = text[...].utf8
        if let mark = rest.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<mark] }
        if let end = rest.firstIndex(where: { ":/?".utf8.contains($0) }), rest[end] == UInt8(ascii: ":") {
            scheme = Substring(rest[..<end])
            rest = rest[end...].dropFirst()
        } else {
            scheme = nil
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = Substring(rest[mark...].dropFirst())
            rest = rest[..<mark]
        } else {
            query = nil
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = Substring(rest[..<end])
            rest = rest[end...]
        } else {
            authority = nil
        }
        path = Substring(rest)
    }

    /// The target that the reference means when it is read at another (RFC 3986, section 5.2.2), or nil when that is none.
    package func resolved(against base: RequestTarget) -> RequestTarget? {
        let query = query.map { "?\($0)" } ?? ""
        if let authority {
            let scheme = scheme ?? base.scheme[...]
            let path = Self.removingDotSegments(String(path))
            return try? RequestTarget("\(scheme)://\(authority)\(path)\(query)")
        }
        // A scheme alone names no host; without this, `http:.//host` would.
        guard scheme == nil else { return nil }
        let origin = "\(base.scheme)://\(base.authority)"
        if path.isEmpty {
            return try? RequestTarget(
                origin + base.path + (self.query == nil ? base.query.map { "?\($0)" } ?? "" : query)
            )
        }
        // All of the base's path up to its last slash, and the reference's in place of the rest (section 5.2.3).
        let folder = base.path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        let merged = isAbsolute ? String(path) : folder.map { "\($0)/" }.joined() + path
        return try? RequestTarget(origin + Self.removingDotSegments(merged) + query)
    }

    /// The path without `.` and `..` (RFC 3986, section 5.2.4); it is empty or starts with a slash.
    private static func removingDotSegments(_ path: String) -> String {
        guard !path.isEmpty else { return "" }
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }
}

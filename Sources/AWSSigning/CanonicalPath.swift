/// The path of a canonical request.
enum CanonicalPath {
    /// Whether a path is its own canonical form, as most are.
    static func isPlain(_ path: String, under profile: ServiceProfile) -> Bool {
        URIEncoding.isPlain(path, allowsEscapes: profile.pathEncoding == .once)
            && !(profile.normalizesPath && mayChange(path.utf8.span))
    }

    /// Whether a path may have an empty segment or a dot segment; a segment that only starts with a dot counts too.
    private static func mayChange(_ path: Span<UInt8>) -> Bool {
        guard path.count > 0, path[0] == slash else { return true }
        for index in path.indices.dropFirst() where path[index - 1] == slash {
            if path[index] == slash || path[index] == UInt8(ascii: ".") { return true }
        }
        return false
    }

    /// Appends the canonical form of a path that is about to be sent.
    static func append(_ path: String, under profile: ServiceProfile, to output: inout [UInt8]) {
        guard profile.normalizesPath, path.utf8.count > 1 else {
            encode(path.utf8, under: profile, to: &output)
            return
        }
        encode(normalized(path), under: profile, to: &output)
    }

    private static func encode(
        _ path: some Collection<UInt8>,
        under profile: ServiceProfile,
        to output: inout [UInt8]
    ) {
        switch profile.pathEncoding {
        case .once: URIEncoding.appendCanonical(path, keepsSlash: true, to: &output)
        case .twice: URIEncoding.append(path, keepsSlash: true, to: &output)
        }
    }

    /// The path without empty segments and dot segments; a slash at the end stays (RFC 3986, section 5.2.4).
    private static func normalized(_ path: String) -> [UInt8] {
        var segments: [Substring.UTF8View] = []
        for segment in Substring(path).utf8.split(separator: slash) where !segment.elementsEqual(".".utf8) {
            if segment.elementsEqual("..".utf8) {
                _ = segments.popLast()
            } else {
                segments.append(Substring(segment).utf8)
            }
        }
        var output: [UInt8] = []
        output.reserveCapacity(path.utf8.count)
        for segment in segments {
            output.append(slash)
            output.append(contentsOf: segment)
        }
        if segments.isEmpty || path.utf8.last == slash { output.append(slash) }
        return output
    }
}

private let slash = UInt8(ascii: "/")

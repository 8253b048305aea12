/// Splits a URL for ``RequestTarget``, from its start to its end, once.
struct RequestTargetParser {
    private let octets: [UInt8]
    private var offset = 0

    init(_ url: String) {
        octets = Array(url.utf8)
    }

    mutating func parse() throws(HTTPMessageError) -> RequestTarget {
        let scheme = try readScheme()
        let authorityEnd = octets[offset...].firstIndex(where: Self.endsAuthority) ?? octets.count
        try checkCharacters(offset..<authorityEnd, allowed: Self.isHostCharacter)
        let host = try readHost(end: authorityEnd)
        let port = try readPort(end: authorityEnd) ?? RequestTarget.defaultPort(of: scheme)
        let prefix = text(0..<authorityEnd)
        let end = octets[authorityEnd...].firstIndex(of: UInt8(ascii: "#")) ?? octets.count
        let queryMark = octets[authorityEnd..<end].firstIndex(of: UInt8(ascii: "?"))
        let pathRange = authorityEnd..<(queryMark ?? end)
        try checkCharacters(pathRange, allowed: Self.isPathCharacter)
        var query: String?
        if let queryMark {
            try checkCharacters(queryMark + 1..<end, allowed: Self.isQueryCharacter)
            query = text(queryMark + 1..<end)
        }
        return RequestTarget(
            scheme: scheme,
            host: host,
            port: port,
            path: pathRange.isEmpty ? "/" : text(pathRange),
            query: query,
            prefix: prefix
        )
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: octets[range], as: UTF8.self) }

    private mutating func readScheme() throws(HTTPMessageError) -> String {
        for (scheme, prefix) in [("https", "https://"), ("http", "http://")] {
            let length = prefix.utf8.count
            guard octets.count >= length, zip(octets, prefix.utf8).allSatisfy({ Self.lowercased($0) == $1 })
            else {
                continue
            }
            offset = length
            return scheme
        }
        throw HTTPMessageError(.unsupportedScheme, "the URL does not start with https:// or http://", at: 0)
    }

    private mutating func readHost(end: Int) throws(HTTPMessageError) -> String {
        if let at = octets[offset..<end].firstIndex(of: UInt8(ascii: "@")) {
            throw HTTPMessageError(.userInfoNotAllowed, "the URL names a user or a password", at: at)
        }
        let start = offset
        if offset < end, octets[offset] == UInt8(ascii: "[") {
            guard let close = octets[offset..<end].firstIndex(of: UInt8(ascii: "]")) else {
                throw HTTPMessageError(.invalidHost, "the host's bracket is not closed", at: offset)
            }
            guard IPv6Address.isValid(octets[start + 1..<close]) else {
                throw HTTPMessageError(.invalidHost, "the host in brackets is not an IPv6 address", at: start)
            }
            offset = close + 1
        } else {
            offset = octets[offset..<end].firstIndex(of: UInt8(ascii: ":")) ?? end
            try checkName(start..<offset)
        }
        return String(decoding: octets[start..<offset].map(Self.lowercased), as: UTF8.self)
    }

    /// A name that ends in a dot means the same server as the name without it, but would pass by every policy that
    /// was written for that name.
    private func checkName(_ range: Range<Int>) throws(HTTPMessageError) {
        guard !range.isEmpty else {
            throw HTTPMessageError(.invalidHost, "the URL has no host", at: range.lowerBound)
        }
        var labelStart = range.lowerBound
        for index in range.lowerBound...range.upperBound {
            guard index == range.upperBound || octets[index] == UInt8(ascii: ".") else {
                guard Self.isNameCharacter(octets[index]) else {
                    throw HTTPMessageError(
                        .invalidHost,
                        "the host is not a name of letters and digits",
                        at: index
                    )
                }
                continue
            }
            guard index > labelStart, index - labelStart <= 63 else {
                throw HTTPMessageError(
                    .invalidHost,
                    "a label of the host is empty or too long",
                    at: labelStart
                )
            }
            labelStart = index + 1
        }
        guard range.count <= 253 else {
            throw HTTPMessageError(.invalidHost, "the host is too long", at: range.lowerBound)
        }
    }

    private mutating func readPort(end: Int) throws(HTTPMessageError) -> Int? {
        guard offset < end else { return nil }
        let digits = octets[offset + 1..<end]
        guard octets[offset] == UInt8(ascii: ":"), let first = digits.first, first != UInt8(ascii: "0"),
            digits.count <= 5, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let port = Int(String(decoding: digits, as: UTF8.self)), port <= 65535
        else { throw HTTPMessageError(.invalidPort, "the port is not a number in 1...65535", at: offset) }
        return port
    }

    private func checkCharacters(
        _ range: Range<Int>,
        allowed: (UInt8) -> Bool
    ) throws(HTTPMessageError) {
        for index in range {
            let octet = octets[index]
            if octet == UInt8(ascii: "%") {
                let digits = octets[index + 1..<min(index + 3, range.upperBound)]
                guard digits.count == 2, digits.allSatisfy(\.isHexDigit) else {
                    throw HTTPMessageError(
                        .invalidPercentEncoding,
                        "a % is not followed by two digits",
                        at: index
                    )
                }
            } else if !allowed(octet) {
                throw HTTPMessageError(.invalidURLCharacter, "a URL cannot hold this character", at: index)
            }
        }
    }

    private static func lowercased(_ octet: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(octet) ? octet | 0x20 : octet
    }

    private static func endsAuthority(_ octet: UInt8) -> Bool {
        octet == UInt8(ascii: "/") || octet == UInt8(ascii: "?") || octet == UInt8(ascii: "#")
    }

    /// Letters, digits, hyphen and underscore; an escape in a host would let two parsers read two names.
    private static func isNameCharacter(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func isHostCharacter(_ octet: UInt8) -> Bool {
        isPathCharacter(octet) || octet == UInt8(ascii: "[") || octet == UInt8(ascii: "]")
    }

    /// `pchar` of RFC 3986, section 3.3, and the slash.
    private static func isPathCharacter(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "."), UInt8(ascii: "~"), UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "@"),
            UInt8(ascii: "/"):
            true
        default: isNameCharacter(octet)
        }
    }

    /// `query` of RFC 3986, section 3.4, and the four characters that browsers send there unescaped.
    private static func isQueryCharacter(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "?"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "|"), UInt8(ascii: "^"):
            true
        default: isPathCharacter(octet)
        }
    }
}

import Encodings

/// A query as text, in which single values are replaced and all else stays as it was written.
struct QueryText {
    private var pairs: [Substring]

    init(_ query: String) {
        pairs = query.split(separator: "&", omittingEmptySubsequences: false)
    }

    /// The query, as it is sent.
    var text: String { pairs.joined(separator: "&") }

    /// Where the pairs of a name stand; names compare after percent-decoding.
    func indices(of name: String) -> [Int] {
        pairs.indices.filter { index in
            guard let equals = pairs[index].firstIndex(of: "=") else { return false }
            return Self.decoded(pairs[index][..<equals]) == Array(name.utf8)
        }
    }

    /// The percent-decoded value of a pair.
    func value(at index: Int) -> String {
        String(decoding: Self.decoded(pairs[index].drop { $0 != "=" }.dropFirst()), as: UTF8.self)
    }

    /// Replaces the value of a pair by one in which everything but unreserved characters is percent-encoded, so that
    /// no value can add a parameter or end the query (RFC 3986, section 2.3).
    mutating func setValue(_ value: String, at index: Int) {
        var encoded = ""
        for octet in value.utf8 {
            switch octet {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(octet))
            default: encoded += "%" + Hex.encode([octet]).uppercased()
            }
        }
        pairs[index] = pairs[index].prefix { $0 != "=" } + "=" + encoded
    }

    /// Decodes `%` escapes, which a request target has been checked to hold only whole.
    private static func decoded(_ text: Substring) -> [UInt8] {
        let octets = Array(text.utf8)
        var output: [UInt8] = []
        var index = 0
        while index < octets.count {
            if octets[index] == UInt8(ascii: "%"), index + 2 < octets.count,
                let high = Hex.value(of: octets[index + 1]),
                let low = Hex.value(of: octets[index + 2])
            {
                output.append(high << 4 | low)
                index += 3
            } else {
                output.append(octets[index])
                index += 1
            }
        }
        return output
    }
}

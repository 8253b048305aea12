/// An entity tag (RFC 9110, section 8.8.3).
enum EntityTag {
    /// Whether a value of `ETag` is one tag, weak or strong.
    static func isValid(_ value: String) -> Bool {
        var octets = Array(value.utf8)[...]
        if octets.starts(with: "W/".utf8) { octets = octets.dropFirst(2) }
        guard octets.count >= 2, octets.first == UInt8(ascii: "\""), octets.last == UInt8(ascii: "\"") else {
            return false
        }
        return octets.dropFirst().dropLast().allSatisfy {
            $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80
        }
    }

    /// Whether two tags name equivalent representations (section 8.8.3.2).
    static func matchWeakly(_ left: String, _ right: String) -> Bool {
        opaque(left) == opaque(right)
    }

    private static func opaque(_ tag: String) -> Substring {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    }
}

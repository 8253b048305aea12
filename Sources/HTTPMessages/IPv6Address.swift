/// The `IPv6address` rule of RFC 3986, section 3.2.2.
enum IPv6Address {
    /// Whether the octets between the brackets are an address.
    ///
    /// It has eight groups, or fewer and one `::`, and the last two may be written as an IPv4 address. A zone identifier is refused; it means nothing to another machine.
    static func isValid(_ octets: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: octets, as: UTF8.self)
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        switch halves.count {
        case 1: return groups(in: halves[0], mayEndInIPv4: true) == 8
        case 2:
            guard let left = halves[0].isEmpty ? 0 : groups(in: halves[0], mayEndInIPv4: false),
                let right = halves[1].isEmpty ? 0 : groups(in: halves[1], mayEndInIPv4: true)
            else { return false }
            return left + right <= 7
        default: return false
        }
    }

    /// How many 16-bit groups the text stands for, or nil when it is not a list of groups.
    private static func groups(in text: Substring, mayEndInIPv4: Bool) -> Int? {
        var count = 0
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if mayEndInIPv4, index == parts.count - 1, part.contains(".") {
                guard isIPv4(part) else { return nil }
                count += 2
            } else {
                guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(\.isHexDigit) else {
                    return nil
                }
                count += 1
            }
        }
        return count
    }

    private static func isIPv4(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                part.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
                    && UInt8(part) != nil && (part == "0" || !part.hasPrefix("0"))
            }
    }
}

extension UInt8 {
    /// Whether the octet is an ASCII hexadecimal digit.
    var isHexDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}

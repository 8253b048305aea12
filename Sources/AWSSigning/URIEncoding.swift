internal import Encodings

/// Percent-encoding as signatures want it: everything but the unreserved characters, in upper-case hexadecimal
/// (RFC 3986, section 2.3).
enum URIEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Encodes octets; a slash stays when it separates segments.
    static func append(
        _ octets: some Sequence<UInt8>,
        keepsSlash: Bool = false,
        to output: inout [UInt8]
    ) {
        for octet in octets {
            if isUnreserved(octet) || keepsSlash && octet == UInt8(ascii: "/") {
                output.append(octet)
            } else {
                appendEscape(octet, to: &output)
            }
        }
    }

    /// Brings text that is encoded in some way to the canonical one: `%7e` becomes `~`, `$` becomes `%24`.
    ///
    /// An escaped slash stays escaped: it is part of a segment, and turning it into a separator would sign another path.
    static func appendCanonical(
        _ octets: some Collection<UInt8>,
        keepsSlash: Bool = false,
        to output: inout [UInt8]
    ) {
        var index = octets.startIndex
        while index < octets.endIndex {
            let octet = octets[index]
            octets.formIndex(after: &index)
            guard octet == UInt8(ascii: "%"), index < octets.endIndex,
                let high = Hex.value(of: octets[index]),
                case let second = octets.index(after: index), second < octets.endIndex,
                let low = Hex.value(of: octets[second])
            else {
                append(CollectionOfOne(octet), keepsSlash: keepsSlash, to: &output)
                continue
            }
            index = octets.index(after: second)
            append(CollectionOfOne(high << 4 | low), to: &output)
        }
    }

    /// Whether a path is its own encoded form, as most are.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - allowsEscapes: Whether an escape stays when it is the canonical one; when not, its `%` is to be encoded.
    /// - Returns: Whether nothing would change.
    static func isPlain(_ path: String, allowsEscapes: Bool) -> Bool {
        let octets = path.utf8.span
        var index = 0
        while index < octets.count {
            let octet = octets[index]
            index += 1
            guard !isUnreserved(octet), octet != UInt8(ascii: "/") else { continue }
            guard allowsEscapes, octet == UInt8(ascii: "%"), octets.count - index >= 2,
                let high = upperHexValue(of: octets[index]), let low = upperHexValue(of: octets[index + 1]),
                !isUnreserved(high << 4 | low)
            else { return false }
            index += 2
        }
        return true
    }

    /// The value of a digit as escapes are written.
    private static func upperHexValue(of octet: UInt8) -> UInt8? {
        (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(octet) ? nil : Hex.value(of: octet)
    }

    /// The encoded form as text.
    static func encode(_ text: String, keepsSlash: Bool = false) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count + 16)
        append(text.utf8, keepsSlash: keepsSlash, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    private static func appendEscape(_ octet: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "%"))
        output.append(digits[Int(octet >> 4)])
        output.append(digits[Int(octet & 0x0F)])
    }

    private static func isUnreserved(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

internal import Encodings

/// The parameters of a query as `@query-param` sees them (RFC 9421, section 2.2.8).
///
/// Parsed as `application/x-www-form-urlencoded` and encoded again with `%20` for a space, names and values alike, so
/// that neither can hold a line break.
struct FormQuery {
    private var values: [String: [String]] = [:]

    init(_ query: String?) {
        guard let query else { return }
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "="))
            let name = Self.recoded(pair[..<(equals ?? pair.endIndex)])
            let value = equals.map { Self.recoded(pair[pair.index(after: $0)...]) } ?? ""
            values[name, default: []].append(value)
        }
    }

    /// The values under an encoded name, in order.
    subscript(name: String) -> [String] { values[name] ?? [] }

    private static func recoded(_ text: Substring.UTF8View) -> String {
        encode(String(decoding: decode(Array(text)), as: UTF8.self))
    }

    /// The form of a name or value in identifiers and in the base.
    static func encode(_ text: String) -> String {
        var output: [UInt8] = []
        for octet in text.utf8 {
            if isKept(octet) {
                output.append(octet)
            } else {
                output.append(UInt8(ascii: "%"))
                output += Hex.encode([octet]).uppercased().utf8
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Decodes what is an escape; a `%` without two digits stands for itself.
    private static func decode(_ octets: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(octets.count)
        var offset = 0
        while offset < octets.count {
            let octet = octets[offset]
            if octet == UInt8(ascii: "%"), offset + 2 < octets.count, let high = digit(octets[offset + 1]),
                let low = digit(octets[offset + 2])
            {
                output.append(high << 4 | low)
                offset += 3
            } else {
                output.append(octet == UInt8(ascii: "+") ? UInt8(ascii: " ") : octet)
                offset += 1
            }
        }
        return output
    }

    private static func digit(_ octet: UInt8) -> UInt8? {
        switch octet {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): octet - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): octet - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): octet - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func isKept(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// The classes of octets that RFC 9651 builds its values from.
enum Grammar {
    static func isDigit(_ octet: UInt8) -> Bool {
        octet >= UInt8(ascii: "0") && octet <= UInt8(ascii: "9")
    }

    static func isLowercase(_ octet: UInt8) -> Bool {
        octet >= UInt8(ascii: "a") && octet <= UInt8(ascii: "z")
    }

    /// Printable ASCII, the space included: what a string may hold.
    static func isPrintable(_ octet: UInt8) -> Bool { octet >= 0x20 && octet <= 0x7E }

    static func startsKey(_ octet: UInt8) -> Bool { isLowercase(octet) || octet == UInt8(ascii: "*") }

    static func continuesKey(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "*"): true
        default: isLowercase(octet) || isDigit(octet)
        }
    }

    static func startsToken(_ octet: UInt8) -> Bool {
        isLowercase(octet | 0x20) || octet == UInt8(ascii: "*")
    }

    static func continuesToken(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"),
            UInt8(ascii: ":"), UInt8(ascii: "/"):
            true
        default: isLowercase(octet | 0x20) || isDigit(octet)
        }
    }

    static func isBase64(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): true
        default: isLowercase(octet | 0x20) || isDigit(octet)
        }
    }

    /// The offset of the first octet that keeps the text from being a token, or nil when it is one.
    static func faultInToken(_ text: String) -> Int? {
        var offset = 0
        for octet in text.utf8 {
            guard offset == 0 ? startsToken(octet) : continuesToken(octet) else { return offset }
            offset += 1
        }
        return offset == 0 ? 0 : nil
    }

    /// Whether the text is a key of a dictionary or a parameter.
    static func isKey(_ text: String) -> Bool {
        let octets = text.utf8.span
        guard !octets.isEmpty, startsKey(octets[0]) else { return false }
        for offset in 1..<octets.count where !continuesKey(octets[offset]) { return false }
        return true
    }
}

/// The `token` rule of RFC 9110, section 5.6.2.
enum Token {
    /// Whether an octet may stand in a token.
    static func contains(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// The offset of the first octet that keeps the text from being a token, or nil when it is one.
    static func fault(in text: String) -> Int? {
        let octets = text.utf8.span
        if octets.isEmpty { return 0 }
        for offset in octets.indices where !contains(octets[offset]) { return offset }
        return nil
    }
}

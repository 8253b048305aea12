/// The encodings of text in URLs and forms.
enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func isAlphanumeric(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func encode(_ text: String, keeping: String, spaceAsPlus: Bool) -> String {
        var output: [UInt8] = []
        for octet in text.utf8 {
            if isAlphanumeric(octet) || keeping.utf8.contains(octet) {
                output.append(octet)
            } else if spaceAsPlus, octet == 0x20 {
                output.append(UInt8(ascii: "+"))
            } else {
                output += [UInt8(ascii: "%"), digits[Int(octet >> 4)], digits[Int(octet & 0x0F)]]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Encodes all but the unreserved characters (RFC 3986, section 2.3).
    static func component(_ text: String) -> String {
        encode(text, keeping: "-._~", spaceAsPlus: false)
    }

    /// Encodes as `application/x-www-form-urlencoded` does (URL Standard, section 5.2).
    static func form(_ text: String) -> String {
        encode(text, keeping: "*-._", spaceAsPlus: true)
    }
}

/// Base 16 of RFC 4648, section 8: encoded in lower case, decoded from either case.
public enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Encodes octets in lower case.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        // An array is taken as it is. Through the sequence's iterator each octet would be a call or two.
        let octets = Array(bytes)
        return unsafe String(unsafeUninitializedCapacity: octets.count * 2) { output in
            for (index, octet) in octets.enumerated() {
                unsafe output[2 * index] = digits[Int(octet >> 4)]
                unsafe output[2 * index + 1] = digits[Int(octet & 0x0F)]
            }
            return octets.count * 2
        }
    }

    /// Decodes hexadecimal text of either case.
    ///
    /// - Throws: ``DecodingFault`` for an odd length or a character that is not a digit.
    public static func decode(_ text: some StringProtocol) throws(DecodingFault) -> [UInt8] {
        let octets = Array(text.utf8)
        guard octets.count.isMultiple(of: 2) else { throw DecodingFault(.invalidLength, at: octets.count) }
        var output: [UInt8] = []
        output.reserveCapacity(octets.count / 2)
        for offset in stride(from: 0, to: octets.count, by: 2) {
            guard let high = value(of: octets[offset]) else {
                throw DecodingFault(.invalidCharacter, at: offset)
            }
            guard let low = value(of: octets[offset + 1]) else {
                throw DecodingFault(.invalidCharacter, at: offset + 1)
            }
            output.append(high << 4 | low)
        }
        return output
    }

    /// The value of one hexadecimal digit, or nil for any other octet.
    public static func value(of octet: UInt8) -> UInt8? {
        switch octet {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): octet - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): octet - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): octet - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

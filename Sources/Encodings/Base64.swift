/// Base 64 of RFC 4648, in both alphabets, decoded strictly.
public struct Base64: Sendable {
    private let alphabet: [UInt8]
    private let values: [UInt8]
    private let isPadded: Bool

    /// The alphabet of section 4, with padding.
    public static let standard = Base64(last: "+/", isPadded: true)
    /// The URL and file name safe alphabet of section 5, without padding, as JOSE uses it (RFC 7515, section 2).
    public static let url = Base64(last: "-_", isPadded: false)

    private static let unused: UInt8 = 0xFF

    private init(last: String, isPadded: Bool) {
        alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(last)".utf8)
        var values = [UInt8](repeating: Self.unused, count: 256)
        for (value, octet) in alphabet.enumerated() { values[Int(octet)] = UInt8(value) }
        self.values = values
        self.isPadded = isPadded
    }

    /// Encodes octets.
    public func encode(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: encodeToBytes(bytes), as: UTF8.self)
    }

    /// Encodes octets to ASCII octets.
    public func encodeToBytes(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        // Not octet by octet through the sequence, whose type is known to the caller alone.
        append(Array(bytes).span, to: &output)
        return output
    }

    /// Puts the ASCII octets of the encoded form at the end of others.
    package func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
        let (groups, rest) = bytes.count.quotientAndRemainder(dividingBy: 3)
        let length = groups * 4 + (rest == 0 ? 0 : isPadded ? 4 : rest + 1)
        let alphabet = alphabet.span
        output.append(addingCapacity: length) { output in
            for group in 0..<groups {
                let offset = group * 3
                let bits = Int(bytes[offset]) << 16 | Int(bytes[offset + 1]) << 8 | Int(bytes[offset + 2])
                output.append(alphabet[bits >> 18])
                output.append(alphabet[bits >> 12 & 0x3F])
                output.append(alphabet[bits >> 6 & 0x3F])
                output.append(alphabet[bits & 0x3F])
            }
            guard rest > 0 else { return }
            let (first, second) = (Int(bytes[groups * 3]), rest == 2 ? Int(bytes[groups * 3 + 1]) : 0)
            output.append(alphabet[first >> 2])
            output.append(alphabet[first << 4 & 0x30 | second >> 4])
            if rest == 2 { output.append(alphabet[second << 2 & 0x3C]) }
            if isPadded { output.append(repeating: UInt8(ascii: "="), count: 3 - rest) }
        }
    }

    /// Decodes text that is exactly what ``encode(_:)`` gives for some octets.
    ///
    /// - Throws: ``DecodingFault`` for a character outside the alphabet (white space is one), a wrong length, wrong
    ///   padding, or non-zero bits after the last octet.
    public func decode(_ text: some StringProtocol) throws(DecodingFault) -> [UInt8] {
        try decode(Array(text.utf8))
    }

    /// Decodes ASCII octets, under the rules of ``decode(_:)-(StringProtocol)``.
    public func decode(_ text: [UInt8]) throws(DecodingFault) -> [UInt8] {
        let end = try contentEnd(of: text)
        var output: [UInt8] = []
        output.reserveCapacity(end * 3 / 4)
        var buffer: UInt32 = 0
        var pending = 0
        for offset in 0..<end {
            let value = values[Int(text[offset])]
            guard value != Self.unused else { throw DecodingFault(.invalidCharacter, at: offset) }
            buffer = buffer << 6 | UInt32(value)
            pending += 6
            if pending >= 8 {
                pending -= 8
                output.append(UInt8(truncatingIfNeeded: buffer >> UInt32(pending)))
            }
        }
        guard end % 4 != 1 else { throw DecodingFault(.invalidLength, at: end) }
        guard buffer & (1 << UInt32(pending) - 1) == 0 else {
            throw DecodingFault(.nonCanonical, at: end - 1)
        }
        return output
    }

    /// Where the padding starts, which must be just as long as the content asks for.
    private func contentEnd(of text: [UInt8]) throws(DecodingFault) -> Int {
        guard isPadded else { return text.count }
        var end = text.count
        while end > 0, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
        let wanted = (4 - end % 4) % 4
        guard wanted < 3, text.count - end == wanted else { throw DecodingFault(.invalidPadding, at: end) }
        return end
    }
}

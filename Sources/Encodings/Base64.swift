/// Base 64 of RFC 4648, in both alphabets, decoded strictly.
public struct Base64: Sendable {
    private let alphabet: InlineArray<64, UInt8>
    private let values: InlineArray<256, UInt8>
    private let isPadded: Bool

    /// The alphabet of section 4, with padding.
    public static let standard = Base64(last: "+/", isPadded: true)
    /// The URL and file name safe alphabet of section 5, without padding, as JOSE uses it (RFC 7515, section 2).
    public static let url = Base64(last: "-_", isPadded: false)

    private static let unused: UInt8 = 0xFF

    private init(last: String, isPadded: Bool) {
        let octets = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(last)".utf8)
        alphabet = InlineArray { octets[$0] }
        var values = InlineArray<256, UInt8>(repeating: Self.unused)
        for (value, octet) in octets.enumerated() { values[Int(octet)] = UInt8(value) }
        self.values = values
        self.isPadded = isPadded
    }

    /// Encodes octets.
    public func encode(_ bytes: some Sequence<UInt8>) -> String {
        // Not octet by octet through the sequence, whose type is known to the caller alone.
        let octets = Array(bytes)
        return OctetWriter.text(capacity: encodedLength(of: octets.count)) { append(octets.span, to: &$0) }
    }

    /// Encodes octets to ASCII octets.
    public func encodeToBytes(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let octets = Array(bytes)
        return OctetWriter.array(capacity: encodedLength(of: octets.count)) { append(octets.span, to: &$0) }
    }

    /// How long the encoded form of so many octets is.
    package func encodedLength(of count: Int) -> Int {
        isPadded ? (count + 2) / 3 * 4 : (count * 4 + 2) / 3
    }

    /// Writes the ASCII octets of the encoded form.
    package func append(_ bytes: Span<UInt8>, to output: inout OctetWriter) {
        let (groups, rest) = bytes.count.quotientAndRemainder(dividingBy: 3)
        // An index into the array itself would copy the whole of it each time.
        let alphabet = alphabet.span
        output.append(groups: groups) { group in
            let (a, b, c) = (bytes[group * 3], bytes[group * 3 + 1], bytes[group * 3 + 2])
            let bits = Int(a) << 16 | Int(b) << 8 | Int(c)
            let first = UInt32(alphabet[bits >> 18]) | UInt32(alphabet[bits >> 12 & 0x3F]) << 8
            return first | UInt32(alphabet[bits >> 6 & 0x3F]) << 16 | UInt32(alphabet[bits & 0x3F]) << 24
        }
        guard rest > 0 else { return }
        let (first, second) = (Int(bytes[groups * 3]), rest == 2 ? Int(bytes[groups * 3 + 1]) : 0)
        output.append(alphabet[first >> 2])
        output.append(alphabet[first << 4 & 0x30 | second >> 4])
        if rest == 2 { output.append(alphabet[second << 2 & 0x3C]) }
        guard isPadded else { return }
        for _ in rest..<3 { output.append(UInt8(ascii: "=")) }
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
        let values = values.span
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

internal import Encodings

/// The two written forms of an ECDSA signature, turned into each other.
enum ECDSASignature {
    /// The DER form of r‖s, or nil unless that is exactly two numbers of `width` octets.
    ///
    /// The numbers are not judged here; OpenSSL refuses zero and anything not below the group's order.
    static func der(fromFixedWidth signature: Span<UInt8>, width: Int) -> [UInt8]? {
        guard signature.count == 2 * width else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 * width)
        for offset in 0..<signature.count { bytes.append(signature[offset]) }
        return DER.sequence(DER.unsigned(bytes[..<width]), DER.unsigned(bytes[width...]))
    }

    /// The fixed-width form of a DER signature, or nil when it is not strict DER or a number is too wide.
    static func fixedWidth(fromDER signature: Span<UInt8>, width: Int) -> [UInt8]? {
        var end = 0
        guard let sequence = element(.sequence, of: signature, from: &end), end == signature.count else {
            return nil
        }
        var offset = sequence.lowerBound
        guard let r = unsigned(of: signature, from: &offset), let s = unsigned(of: signature, from: &offset),
            offset == end, r.count <= width, s.count <= width
        else { return nil }
        return OctetWriter.array(capacity: 2 * width) { output in
            for number in [r, s] {
                for _ in number.count..<width { output.append(0) }
                output.append(signature.extracting(number))
            }
        }
    }

    // Not with a DERReader: its slices of an array are a hundredth of the time of a signature.

    /// The place of an element's content, whose length is below 256 octets; `offset` is where it begins, and then its end.
    private static func element(_ tag: DER.Tag, of der: Span<UInt8>, from offset: inout Int) -> Range<Int>? {
        guard der.count - offset >= 2, der[offset] == tag.octet else { return nil }
        var start = offset + 2
        var length = Int(der[start - 1])
        if length >= 0x80 {
            guard length == 0x81, start < der.count, der[start] >= 0x80 else { return nil }
            length = Int(der[start])
            start += 1
        }
        guard der.count - start >= length else { return nil }
        offset = start + length
        return start..<offset
    }

    /// The place of an integer's octets without the sign octet, under the rules of ``DERReader/readUnsigned()``.
    private static func unsigned(of der: Span<UInt8>, from offset: inout Int) -> Range<Int>? {
        guard let content = element(.integer, of: der, from: &offset), !content.isEmpty,
            der[content.lowerBound] < 0x80
        else { return nil }
        guard der[content.lowerBound] == 0, content.count > 1 else { return content }
        return der[content.lowerBound + 1] >= 0x80 ? content.dropFirst() : nil
    }
}

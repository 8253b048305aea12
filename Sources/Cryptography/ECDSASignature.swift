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
    ///
    /// It is read without ``DERReader``, whose slices would cost each signature a tenth of its hashing.
    static func fixedWidth(fromDER signature: [UInt8], width: Int) -> [UInt8]? {
        let octets = signature.span
        guard let numbers = content(.sequence, at: 0, of: octets), numbers.upperBound == octets.count,
            let r = number(at: numbers.lowerBound, of: octets), r.count <= width,
            let s = number(at: r.upperBound, of: octets), s.count <= width, s.upperBound == octets.count
        else { return nil }
        return OctetWriter.array(capacity: 2 * width) { output in
            for _ in r.count..<width { output.append(0) }
            output.append(octets.extracting(r))
            for _ in s.count..<width { output.append(0) }
            output.append(octets.extracting(s))
        }
    }

    /// Where the content of an element stands that has a tag and at most 255 octets.
    private static func content(_ tag: DER.Tag, at place: Int, of octets: Span<UInt8>) -> Range<Int>? {
        guard octets.count - place >= 2, octets[place] == tag.octet else { return nil }
        var (start, length) = (place + 2, Int(octets[place + 1]))
        if length == 0x81, start < octets.count, octets[start] >= 0x80 {
            length = Int(octets[start])
            start += 1
        } else if length >= 0x80 {
            return nil
        }
        return length <= octets.count - start ? start..<start + length : nil
    }

    /// Where the octets of an integer that is not negative stand, without the sign octet.
    private static func number(at place: Int, of octets: Span<UInt8>) -> Range<Int>? {
        guard let content = content(.integer, at: place, of: octets), let first = content.first,
            octets[first] < 0x80
        else { return nil }
        guard octets[first] == 0, content.count > 1 else { return content }
        // A leading zero is right only before an octet with its top bit set.
        return octets[first + 1] >= 0x80 ? content.dropFirst() : nil
    }
}

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
    static func fixedWidth(fromDER signature: [UInt8], width: Int) -> [UInt8]? {
        var outer = DERReader(signature)
        guard var numbers = outer.read(.sequence).map(DERReader.init), outer.isAtEnd,
            let r = numbers.readUnsigned(), let s = numbers.readUnsigned(), numbers.isAtEnd,
            r.count <= width, s.count <= width
        else { return nil }
        return OctetWriter.array(capacity: 2 * width) { output in
            for number in [r, s] {
                for _ in number.count..<width { output.append(0) }
                output.append(number.span)
            }
        }
    }
}

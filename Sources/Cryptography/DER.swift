/// Writes the few ASN.1 structures of this library in DER (X.690).
package enum DER {
    /// An identifier octet.
    package struct Tag: Sendable, Hashable {
        package let octet: UInt8

        package static let boolean = Tag(octet: 0x01)
        package static let integer = Tag(octet: 0x02)
        package static let bitString = Tag(octet: 0x03)
        package static let octetString = Tag(octet: 0x04)
        package static let null = Tag(octet: 0x05)
        package static let objectIdentifier = Tag(octet: 0x06)
        package static let utf8String = Tag(octet: 0x0C)
        package static let utcTime = Tag(octet: 0x17)
        package static let generalizedTime = Tag(octet: 0x18)
        package static let sequence = Tag(octet: 0x30)
        package static let set = Tag(octet: 0x31)

        /// A context-specific tag around a value of its own kind.
        package static func context(_ number: UInt8) -> Tag { Tag(octet: 0x80 | number) }
        /// A context-specific tag around other elements.
        package static func constructed(_ number: UInt8) -> Tag { Tag(octet: 0xA0 | number) }
    }

    /// Object identifiers, as the content octets of their DER.
    enum ObjectIdentifier {
        static let rsaEncryption: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
        static let rsassaPSS: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0A]
        static let mgf1: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x08]
        static let sha256: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
        static let sha384: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x02]
        static let sha512: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03]
        static let sha256WithRSAEncryption: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B]
        static let ecPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
        static let p256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        static let p384: [UInt8] = [0x2B, 0x81, 0x04, 0x00, 0x22]
        static let p521: [UInt8] = [0x2B, 0x81, 0x04, 0x00, 0x23]
        static let ecdsaWithSHA256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]
        static let ecdsaWithSHA384: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x03]
        static let ecdsaWithSHA512: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x04]
        static let ed25519: [UInt8] = [0x2B, 0x65, 0x70]
        static let ed448: [UInt8] = [0x2B, 0x65, 0x71]
        static let commonName: [UInt8] = [0x55, 0x04, 0x03]
        static let subjectKeyIdentifier: [UInt8] = [0x55, 0x1D, 0x0E]
        static let keyUsage: [UInt8] = [0x55, 0x1D, 0x0F]
        static let subjectAlternativeName: [UInt8] = [0x55, 0x1D, 0x11]
        static let basicConstraints: [UInt8] = [0x55, 0x1D, 0x13]
        static let authorityKeyIdentifier: [UInt8] = [0x55, 0x1D, 0x23]
        static let extendedKeyUsage: [UInt8] = [0x55, 0x1D, 0x25]
        static let serverAuthentication: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01]
        static let clientAuthentication: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x02]
    }

    /// The tag and length octets that stand before a content of so many octets.
    package static func header(_ tag: Tag, length: Int) -> [UInt8] {
        guard length >= 0x80 else { return [tag.octet, UInt8(length)] }
        var octets: [UInt8] = []
        var rest = length
        while rest > 0 {
            octets.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [tag.octet, 0x80 | UInt8(octets.count)] + octets
    }

    /// An element with its content.
    package static func element(_ tag: Tag, _ content: some Collection<UInt8>) -> [UInt8] {
        header(tag, length: content.count) + content
    }

    /// A sequence of whole elements.
    package static func sequence(_ elements: [UInt8]...) -> [UInt8] {
        element(.sequence, Array(elements.joined()))
    }

    /// An object identifier.
    package static func identifier(_ content: [UInt8]) -> [UInt8] { element(.objectIdentifier, content) }

    /// A bit string whose bits fill whole octets.
    package static func bitString(_ octets: [UInt8]) -> [UInt8] { element(.bitString, [0] + octets) }

    /// A number that is not negative, from big-endian octets with or without leading zeros.
    package static func unsigned(_ bigEndian: some Collection<UInt8>) -> [UInt8] {
        let digits = bigEndian.drop { $0 == 0 }
        guard let first = digits.first else { return element(.integer, [0]) }
        return first < 0x80 ? element(.integer, digits) : element(.integer, [0] + digits)
    }
}

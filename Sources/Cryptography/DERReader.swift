/// Reads DER one element after another; every answer is nil once the octets are not strict DER.
///
/// Lengths must be definite and as short as possible (X.690, section 10.1) and stay inside what is there.
package struct DERReader {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: [UInt8]) { rest = bytes[...] }
    package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Whether nothing is left.
    package var isAtEnd: Bool { rest.isEmpty }

    /// The tag of the next element, which stays where it is.
    package var nextTag: DER.Tag? { rest.first.map(DER.Tag.init(octet:)) }

    /// Takes the next element if it has this tag, and gives its content.
    package mutating func read(_ tag: DER.Tag) -> ArraySlice<UInt8>? {
        guard nextTag == tag else { return nil }
        return readContent()
    }

    /// Takes the next element whatever its tag, and gives its content.
    package mutating func readContent() -> ArraySlice<UInt8>? {
        var cursor = rest.dropFirst()
        guard rest.first != nil, let first = cursor.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            let width = Int(first & 0x7F)
            guard (1...4).contains(width), cursor.count >= width, let leading = cursor.first, leading != 0
            else { return nil }
            length = 0
            for octet in cursor.prefix(width) { length = length << 8 | Int(octet) }
            guard length >= 0x80 else { return nil }
            cursor = cursor.dropFirst(width)
        }
        guard cursor.count >= length else { return nil }
        rest = cursor.dropFirst(length)
        return cursor.prefix(length)
    }

    /// Takes an integer that is not negative and gives its octets without the sign octet; zero is one octet of zero.
    package mutating func readUnsigned() -> ArraySlice<UInt8>? {
        guard let content = read(.integer), let first = content.first, first < 0x80 else { return nil }
        guard first == 0, content.count > 1 else { return content }
        // A leading zero is right only before an octet with its top bit set.
        let digits = content.dropFirst()
        guard let next = digits.first, next >= 0x80 else { return nil }
        return digits
    }

    /// Takes a bit string of whole octets.
    package mutating func readBitString() -> ArraySlice<UInt8>? {
        guard let content = read(.bitString), content.first == 0 else { return nil }
        return content.dropFirst()
    }
}

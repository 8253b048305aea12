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

    /// Takes the next element whatever its tag of one octet, and gives its content.
    package mutating func readContent() -> ArraySlice<UInt8>? {
        guard let first = rest.first, first & 0x1F != 0x1F else { return nil }
        return readContent(from: rest.dropFirst())
    }

    /// Takes the next element if it has a context-specific tag around another one, and gives its number and content.
    ///
    /// The number may be of any size up to 32 bits; from 31 on it stands in octets of its own (X.690, section 8.1.2.4).
    package mutating func readTagged() -> (number: UInt32, content: ArraySlice<UInt8>)? {
        var cursor = rest
        guard let first = cursor.popFirst(), first & 0xE0 == 0xA0 else { return nil }
        var number = UInt32(first & 0x1F)
        if number == 0x1F {
            number = 0
            var isLast = false
            while !isLast {
                // As few octets as possible: no leading zeros.
                guard let octet = cursor.popFirst(), number != 0 || octet != 0x80, number >> 25 == 0 else {
                    return nil
                }
                number = number << 7 | UInt32(octet & 0x7F)
                isLast = octet < 0x80
            }
            guard number >= 0x1F else { return nil }
        }
        return readContent(from: cursor).map { (number, $0) }
    }

    /// Reads a length and the content after it.
    private mutating func readContent(from start: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var cursor = start
        guard let first = cursor.popFirst() else { return nil }
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

internal import Cryptography

/// Values by number, as Apple writes them in certificates: a SEQUENCE of elements with explicit context-specific tags.
///
/// Apple documents neither the numbers nor the values.
public struct AppleAttributes: Sendable, Hashable {
    /// A value.
    public enum Value: Sendable, Hashable {
        /// An INTEGER.
        case integer(Int64)
        /// The content of an OCTET STRING.
        case octets([UInt8])
        /// Anything else, or an integer above 64 bits: the element in DER.
        case element([UInt8])
    }

    /// A number and its value.
    public struct Entry: Sendable, Hashable {
        /// The number of the tag.
        public let tag: UInt32
        /// The value.
        public let value: Value
    }

    /// All values, in their order.
    public let entries: [Entry]

    /// The value under a number; nil when there is none.
    public subscript(tag: UInt32) -> Value? { entries.first { $0.tag == tag }?.value }

    /// The octets under a number as text; nil when there are none, or when they are not UTF-8.
    public func text(_ tag: UInt32) -> String? {
        guard case .octets(let octets)? = self[tag] else { return nil }
        return String(validating: octets, as: UTF8.self)
    }

    /// Reads the values; nil for octets that are not strict DER, or a number that stands twice.
    init?(_ der: [UInt8]) {
        var outer = DERReader(der)
        guard var items = outer.read(.sequence).map({ DERReader($0) }), outer.isAtEnd else { return nil }
        var entries: [Entry] = []
        var tags: Set<UInt32> = []
        while !items.isAtEnd {
            guard let item = items.readTagged(), tags.insert(item.number).inserted,
                let value = Self.value(item.content)
            else { return nil }
            entries.append(Entry(tag: item.number, value: value))
        }
        self.entries = entries
    }

    /// Reads the one element of an explicit tag.
    private static func value(_ content: ArraySlice<UInt8>) -> Value? {
        var reader = DERReader(content)
        let tag = reader.nextTag
        guard let octets = reader.readContent(), reader.isAtEnd else { return nil }
        switch tag {
        case .octetString: return .octets(Array(octets))
        case .integer:
            guard isMinimal(octets) else { return nil }
            guard octets.count <= 8, let first = octets.first else { return .element(Array(content)) }
            let start: Int64 = first < 0x80 ? 0 : -1
            return .integer(octets.reduce(start) { $0 << 8 | Int64($1) })
        default: return .element(Array(content))
        }
    }

    /// X.690, section 8.3.2: an integer has an octet, and its first nine bits are not all the same.
    private static func isMinimal(_ octets: ArraySlice<UInt8>) -> Bool {
        guard let first = octets.first, let second = octets.dropFirst().first else { return !octets.isEmpty }
        return !(first == 0 && second < 0x80) && !(first == 0xFF && second >= 0x80)
    }
}

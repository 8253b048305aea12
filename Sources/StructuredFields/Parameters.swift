package import Encodings

/// The parameters of an item or an inner list, in order.
///
/// Two sets are equal when they hold the same values under the same keys in the same order, because a signature over
/// the serialised text covers the order too. A lookup takes the same time however many keys there are; taking a key
/// away takes time in proportion to their number.
public struct Parameters: Sendable, Hashable {
    private var map = OrderedMap<BareItem>()

    /// Makes a set without parameters.
    public init() {}

    /// The value under a key, or nil when there is none.
    ///
    /// A new key goes to the end; a value set anew keeps the place of its key; nil takes the key away. Whether a key
    /// has a form is found when it is serialised.
    public subscript(key: String) -> BareItem? {
        get { map[key] }
        set { map[key] = newValue }
    }

    /// Sets a value and tells whether the key stood already.
    mutating func set(_ value: BareItem, for key: String) -> Bool { map.set(value, for: key) }

    /// Serialises the parameters alone, each with its semicolon.
    ///
    /// - Throws: ``StructuredFieldError``, without an offset, for a key or a value that has no form.
    public func serialized() throws(StructuredFieldError) -> String {
        try OctetWriter.text { writer throws(StructuredFieldError) in try writer.write(self) }
    }

    /// Serialises the parameters at the end of what is written.
    package func append(to output: inout OctetWriter) throws(StructuredFieldError) {
        try output.write(self)
    }
}

extension Parameters: RandomAccessCollection {
    /// The first position.
    public var startIndex: Int { 0 }

    /// The position after the last one.
    public var endIndex: Int { map.entries.count }

    /// The key and the value at a position.
    public subscript(position: Int) -> (key: String, value: BareItem) {
        let entry = map.entries[position]
        return (entry.key, entry.value)
    }
}

extension Parameters: ExpressibleByDictionaryLiteral {
    /// Makes parameters in the order written; of two values under one key the later one counts.
    public init(dictionaryLiteral elements: (String, BareItem)...) {
        for (key, value) in elements { map[key] = value }
    }
}

internal import Encodings

/// Items and inner lists under keys, in order, of section 3.2 of RFC 9651.
///
/// Two dictionaries are equal when they hold the same members under the same keys in the same order. A lookup takes
/// the same time however many keys there are; taking a key away takes time in proportion to their number.
public struct FieldDictionary: StructuredField {
    private var map = OrderedMap<Member>()

    /// Makes a dictionary without members.
    public init() {}

    /// Parses a field whose value is a dictionary.
    ///
    /// - Throws: ``StructuredFieldError`` with the offset of the first fault.
    public init(parsing octets: [UInt8], with parser: StructuredFieldParser) throws(StructuredFieldError) {
        self = try parser.parseDictionary(octets)
    }

    /// The member under a key, or nil when there is none.
    ///
    /// A new key goes to the end; a member set anew keeps the place of its key; nil takes the key away. Whether a key
    /// has a form is found when it is serialised.
    public subscript(key: String) -> Member? {
        get { map[key] }
        set { map[key] = newValue }
    }

    /// Whether a text is one that a key can be.
    package static func isKey(_ text: String) -> Bool { Grammar.isKey(text) }

    /// Sets a member and tells whether the key stood already.
    mutating func set(_ member: Member, for key: String) -> Bool { map.set(member, for: key) }

    /// Serialises the members, with a comma and a space between them; an empty dictionary gives empty text.
    ///
    /// - Throws: ``StructuredFieldError``, without an offset, for a key or a value that has no form.
    public func serialized() throws(StructuredFieldError) -> String {
        try OctetWriter.text { writer throws(StructuredFieldError) in try writer.write(self) }
    }
}

extension FieldDictionary: RandomAccessCollection {
    /// The first position.
    public var startIndex: Int { 0 }

    /// The position after the last one.
    public var endIndex: Int { map.entries.count }

    /// The key and the member at a position.
    public subscript(position: Int) -> (key: String, member: Member) {
        let entry = map.entries[position]
        return (entry.key, entry.value)
    }
}

extension FieldDictionary: ExpressibleByDictionaryLiteral {
    /// Makes a dictionary in the order written; of two members under one key the later one counts.
    public init(dictionaryLiteral elements: (String, Member)...) {
        for (key, member) in elements { map[key] = member }
    }
}

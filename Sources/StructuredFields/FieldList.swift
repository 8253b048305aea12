internal import Encodings

/// A list of items and inner lists, of section 3.1 of RFC 9651.
public struct FieldList: StructuredField {
    /// The members, which may be none.
    public var members: [Member]

    /// Makes a list.
    public init(_ members: [Member]) {
        self.members = members
    }

    /// Parses a field whose value is a list.
    ///
    /// - Throws: ``StructuredFieldError`` with the offset of the first fault.
    public init(parsing octets: [UInt8], with parser: StructuredFieldParser) throws(StructuredFieldError) {
        self = try parser.parseList(octets)
    }

    /// Serialises the members, with a comma and a space between them; an empty list gives empty text.
    ///
    /// - Throws: ``StructuredFieldError``, without an offset, for a value that has no form.
    public func serialized() throws(StructuredFieldError) -> String {
        try OctetWriter.text { writer throws(StructuredFieldError) in try writer.write(self) }
    }
}

extension FieldList: ExpressibleByArrayLiteral {
    /// Makes a list.
    public init(arrayLiteral elements: Member...) {
        members = elements
    }
}

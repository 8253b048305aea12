internal import Encodings

/// A value with parameters, of section 3.3 of RFC 9651.
public struct Item: StructuredField {
    /// The value.
    public var bareItem: BareItem
    /// The parameters, which may be none.
    public var parameters: Parameters

    /// Makes an item.
    public init(_ bareItem: BareItem, parameters: Parameters = Parameters()) {
        self.bareItem = bareItem
        self.parameters = parameters
    }

    /// Parses a field whose value is one item.
    ///
    /// - Throws: ``StructuredFieldError`` with the offset of the first fault.
    public init(parsing octets: [UInt8], with parser: StructuredFieldParser) throws(StructuredFieldError) {
        self = try parser.parseItem(octets)
    }

    /// Serialises the value and its parameters.
    ///
    /// - Throws: ``StructuredFieldError``, without an offset, for a value that has no form.
    public func serialized() throws(StructuredFieldError) -> String {
        try OctetWriter.text { writer throws(StructuredFieldError) in try writer.write(self) }
    }
}

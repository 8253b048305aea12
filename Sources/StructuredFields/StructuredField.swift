/// A whole field value of RFC 9651: an item, a list or a dictionary.
///
/// ```swift
/// let priority = try FieldDictionary(parsing: "u=1, i")
/// let urgency = priority["u"]?.item?.bareItem.integer
/// ```
///
/// What was parsed serialises again in the order it came in, parameters included. Parsing the serialised text gives
/// an equal value.
public protocol StructuredField: Sendable, Hashable {
    /// Parses the octets of one field value.
    ///
    /// - Throws: ``StructuredFieldError`` with the offset of the first fault.
    init(parsing octets: [UInt8], with parser: StructuredFieldParser) throws(StructuredFieldError)

    /// Serialises the value, as section 4.1 of RFC 9651 has it.
    ///
    /// An empty list or dictionary gives empty text; the standard wants no field sent then.
    ///
    /// - Throws: ``StructuredFieldError``, without an offset, for a value that has no form: a number out of range, a
    ///   string that is not printable ASCII, a key outside of the grammar.
    func serialized() throws(StructuredFieldError) -> String
}

extension StructuredField {
    /// Parses the octets of one field value, under the default limits.
    ///
    /// - Throws: ``StructuredFieldError`` with the offset of the first fault.
    public init(parsing octets: [UInt8]) throws(StructuredFieldError) {
        try self.init(parsing: octets, with: StructuredFieldParser())
    }

    /// Parses the text of one field value.
    ///
    /// - Throws: ``StructuredFieldError`` with the offset of the first fault, in octets of UTF-8.
    public init(
        parsing text: String,
        with parser: StructuredFieldParser = StructuredFieldParser()
    ) throws(StructuredFieldError) {
        try self.init(parsing: Array(text.utf8), with: parser)
    }

    /// Parses a field that came as several lines.
    ///
    /// The lines are joined with `, ` in the order given, as section 5.3 of RFC 9110 lets anybody on the way do. So
    /// a string cut in two by a line break comes out whole, with a comma and a space in it.
    ///
    /// - Throws: ``StructuredFieldError`` with the offset of the first fault, in octets of the joined lines.
    public init(
        parsingLines lines: [String],
        with parser: StructuredFieldParser = StructuredFieldParser()
    ) throws(StructuredFieldError) {
        try self.init(parsing: lines.joined(separator: ", "), with: parser)
    }
}

/// How structured fields are parsed: the limits, and what a repeated key means.
///
/// The grammar of RFC 9651 is held to strictly, and more strictly than it asks in one place: a byte sequence must be
/// Base 64 with its padding and with zero bits after the last octet, so that no two texts stand for the same octets.
///
/// Time and memory grow in proportion to the input. A value takes at most about 300 octets for each member, item and
/// parameter, besides its text: 5 MiB at the default limits. There is no recursion: the grammar nests to a fixed depth.
public struct StructuredFieldParser: Sendable, Hashable {
    /// What happens when a key stands twice in one dictionary or one set of parameters.
    public enum DuplicateKeys: Sendable, Hashable {
        /// The later value replaces the earlier one and keeps its place, as RFC 9651 says.
        case lastWins
        /// The field is refused, as RFC 9421 wants for the labels of signatures.
        case reject
    }

    /// The longest input taken, in octets; 1 MiB unless set otherwise.
    public var maximumLength: Int
    /// The most members of lists and dictionaries, items of inner lists and parameters, all counted together.
    ///
    /// The default is 16,384. RFC 9651 asks for at least 1,024 members and 256 parameters.
    public var maximumMembers: Int
    /// What happens when a key stands twice.
    public var duplicateKeys: DuplicateKeys

    /// Makes a parser; the defaults are those of the standard, with limits that no honest field reaches.
    public init(
        maximumLength: Int = 1 << 20,
        maximumMembers: Int = 1 << 14,
        duplicateKeys: DuplicateKeys = .lastWins
    ) {
        self.maximumLength = maximumLength
        self.maximumMembers = maximumMembers
        self.duplicateKeys = duplicateKeys
    }

    /// Parses a field whose value is one item, by section 4.2 of RFC 9651.
    ///
    /// - Throws: ``StructuredFieldError`` with the offset of the first fault.
    public func parseItem(_ octets: [UInt8]) throws(StructuredFieldError) -> Item {
        var reader = try FieldReader(octets, parser: self)
        return try reader.readWholeItem()
    }

    /// Parses a field whose value is a list, which may be empty, by section 4.2 of RFC 9651.
    ///
    /// - Throws: ``StructuredFieldError`` with the offset of the first fault.
    public func parseList(_ octets: [UInt8]) throws(StructuredFieldError) -> FieldList {
        var reader = try FieldReader(octets, parser: self)
        return try reader.readWholeList()
    }

    /// Parses a field whose value is a dictionary, which may be empty, by section 4.2 of RFC 9651.
    ///
    /// - Throws: ``StructuredFieldError`` with the offset of the first fault.
    public func parseDictionary(_ octets: [UInt8]) throws(StructuredFieldError) -> FieldDictionary {
        var reader = try FieldReader(octets, parser: self)
        return try reader.readWholeDictionary()
    }
}

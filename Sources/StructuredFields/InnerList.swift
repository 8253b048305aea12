internal import Encodings

/// A list inside of a list or a dictionary, with parameters of its own, of section 3.1.1 of RFC 9651.
public struct InnerList: Sendable, Hashable {
    /// The items, which may be none.
    public var items: [Item]
    /// The parameters of the list itself, which may be none.
    public var parameters: Parameters

    /// Makes an inner list.
    public init(_ items: [Item], parameters: Parameters = Parameters()) {
        self.items = items
        self.parameters = parameters
    }

    /// Serialises the list and its parameters.
    ///
    /// - Throws: ``StructuredFieldError``, without an offset, for a value that has no form.
    public func serialized() throws(StructuredFieldError) -> String {
        try OctetWriter.text { writer throws(StructuredFieldError) in try writer.write(self) }
    }
}

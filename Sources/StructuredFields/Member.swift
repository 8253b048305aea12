internal import Encodings

/// What stands in a list or under a key of a dictionary.
public enum Member: Sendable, Hashable {
    /// One value.
    case item(Item)
    /// A list of values.
    case innerList(InnerList)

    /// The item when the member is one.
    public var item: Item? {
        if case .item(let item) = self { item } else { nil }
    }

    /// The inner list when the member is one.
    public var innerList: InnerList? {
        if case .innerList(let list) = self { list } else { nil }
    }

    /// The parameters of the item or of the inner list.
    public var parameters: Parameters {
        switch self {
        case .item(let item): item.parameters
        case .innerList(let list): list.parameters
        }
    }

    /// Serialises the member as it stands in a list.
    ///
    /// In a dictionary the boolean `?1` is left out after its key; here it is written.
    ///
    /// - Throws: ``StructuredFieldError``, without an offset, for a value that has no form.
    public func serialized() throws(StructuredFieldError) -> String {
        try OctetWriter.text { writer throws(StructuredFieldError) in try writer.write(self) }
    }
}

/// A name and a value of a query or a form, as they are before any encoding.
public struct QueryItem: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The name.
    public let name: String
    /// The value; nil stands as the name alone, without `=`.
    public let value: String?

    /// Makes an item.
    public init(_ name: String, _ value: String?) {
        self.name = name
        self.value = value
    }

    /// The name and the value's length; the value may be a secret and is not shown.
    public var description: String { "\(name)=<\(value?.utf8.count ?? 0) octets>" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The query of items, with all but unreserved characters encoded.
    static func query(_ items: [QueryItem]) -> String {
        items.map { item in
            let name = PercentEncoding.component(item.name)
            return item.value.map { "\(name)=\(PercentEncoding.component($0))" } ?? name
        }.joined(separator: "&")
    }
}

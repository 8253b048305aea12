/// Which fields hold structured values, and of what type: what `sf` and `key` need to know.
///
/// ```swift
/// var types = FieldTypes.standard
/// types["example-dict"] = .dictionary
/// ```
public struct FieldTypes: Sendable, Hashable {
    /// The three kinds of structured field (RFC 9651, section 3).
    public enum Kind: Sendable, Hashable {
        /// One value with parameters.
        case item
        /// Values with commas between them.
        case list
        /// Values under keys.
        case dictionary
    }

    private var kinds: [String: Kind]

    /// Makes a register; a field that is not in it has no known type.
    public init(_ kinds: [String: Kind] = [:]) {
        self.kinds = [:]
        for (name, kind) in kinds { self[name] = kind }
    }

    /// The type of a field; the case of the name does not count.
    public subscript(name: String) -> Kind? {
        get { kinds[FieldLine(name, []).name] }
        set { kinds[FieldLine(name, []).name] = newValue }
    }

    /// The structured fields of the registry of HTTP field names that signatures are likely to cover.
    public static let standard = FieldTypes([
        "accept-ch": .list, "accept-query": .list, "accept-signature": .dictionary,
        "available-dictionary": .item, "cache-status": .list, "capsule-protocol": .item,
        "cdn-cache-control": .dictionary, "client-cert": .item, "client-cert-chain": .list,
        "content-digest": .dictionary, "cross-origin-embedder-policy": .item,
        "cross-origin-opener-policy": .item, "deprecation": .item, "dictionary-id": .item,
        "incremental": .item, "origin-agent-cluster": .item, "permissions-policy": .dictionary,
        "priority": .dictionary, "proxy-status": .list, "repr-digest": .dictionary,
        "signature": .dictionary, "signature-input": .dictionary, "use-as-dictionary": .dictionary,
        "want-content-digest": .dictionary, "want-repr-digest": .dictionary,
    ])
}

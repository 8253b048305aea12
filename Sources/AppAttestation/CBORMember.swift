/// One key of a CBOR map with its value.
public struct CBORMember: Sendable, Hashable {
    /// The key, of any type.
    public let key: CBORValue
    /// The value.
    public let value: CBORValue

    /// Makes a member.
    public init(_ key: CBORValue, _ value: CBORValue) {
        self.key = key
        self.value = value
    }
}

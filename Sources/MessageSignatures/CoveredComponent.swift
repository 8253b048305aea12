/// One part of a message and the value that the signature covers.
public struct CoveredComponent: Sendable, Hashable {
    /// What is covered.
    public let identifier: ComponentIdentifier
    /// Its value as it stands in the signature base.
    public let value: String
}

extension CoveredComponent: CustomStringConvertible, CustomReflectable {
    /// The identifier and the length of the value, which may be a secret and is not shown.
    public var description: String { "\(identifier): <\(value.utf8.count) octets>" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

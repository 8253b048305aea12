/// One part of a message and the value that the signature covers.
public struct CoveredComponent: Sendable, Hashable {
    /// What is covered.
    public let identifier: ComponentIdentifier
    /// Its value as it stands in the signature base.
    public let value: String
}

/// An assertion, and the key that made it.
public struct KeyAssertion: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The key's identifier, in Base 64.
    public let keyID: String
    /// The key's generation, for ``AttestationService/keyWasRefused(generation:)``.
    public let generation: Int
    /// The assertion object, in CBOR.
    public let object: [UInt8]

    /// The length of the object; the values are not shown.
    public var description: String { "KeyAssertion(\(object.count) octets)" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

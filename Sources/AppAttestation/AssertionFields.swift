public import HTTPMessages

/// The names of the three fields that carry an assertion with a request.
public struct AssertionFields: Sendable, Hashable {
    /// The key's identifier, in Base 64 with padding.
    public var keyID: HTTPField.Name
    /// The assertion object, in Base 64 with padding.
    public var signature: HTTPField.Name
    /// When the assertion was made, `YYYY-MM-DDTHH:MM:SSZ` (RFC 3339, in UTC).
    public var timestamp: HTTPField.Name

    /// Makes names; client and backend must have the same.
    public init(
        keyID: HTTPField.Name = "X-Key-ID",
        signature: HTTPField.Name = "X-Signature",
        timestamp: HTTPField.Name = "X-Timestamp"
    ) {
        self.keyID = keyID
        self.signature = signature
        self.timestamp = timestamp
    }
}

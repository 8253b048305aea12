/// Octets whose signature was right: only ``PayloadVerifier`` makes such values.
public struct VerifiedPayload: Sendable, Hashable {
    /// The header, covered by the signature.
    public let header: TokenHeader
    /// The octets that were signed.
    public let payload: [UInt8]

    init(header: TokenHeader, payload: [UInt8]) {
        self.header = header
        self.payload = payload
    }
}

extension VerifiedPayload: CustomStringConvertible, CustomReflectable {
    /// The number of octets.
    public var description: String { "VerifiedPayload(\(payload.count) octets)" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

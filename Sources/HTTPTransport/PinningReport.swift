public import HTTPMessages

/// How the keys of a server did not fit the pins of its host.
public struct PinningReport: Sendable, Hashable, CustomStringConvertible {
    /// The host.
    public let host: String
    /// The pins that were expected; none when the host's set is empty.
    public let expected: [PublicKeyPin]
    /// The key of each certificate that was seen, the server's own first; none when no handshake was made.
    ///
    /// It is the verified chain up to its root or, when that was not trusted, what the server sent.
    public let chain: [PublicKeyPin]
    /// Whether the chain passed normal verification.
    public let isChainTrusted: Bool
    /// Whether the request was stopped for it.
    public let mode: PinSet.Mode

    /// The host, the pins and the keys of the chain: nothing of it is secret.
    public var description: String {
        """
        host \(host), expected \(Self.list(expected)), chain \(Self.list(chain)) \
        (\(isChainTrusted ? "trusted" : "not trusted"))
        """
    }

    private static func list(_ pins: [PublicKeyPin]) -> String {
        pins.isEmpty ? "none" : pins.map(\.description).joined(separator: " ")
    }
}

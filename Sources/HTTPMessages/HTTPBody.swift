/// The content of a request, which can be read again from its start as often as a retry or a redirect needs, unless it
/// says otherwise.
public struct HTTPBody: Sendable, Hashable, CustomStringConvertible {
    /// The octets, in memory.
    public let bytes: [UInt8]
    /// Whether the content may be sent again, by a retry or by a redirect that keeps it.
    public let isReplayable: Bool

    /// Makes a body of octets; one that must not leave twice, such as a one-time code, is not replayable.
    public init(_ bytes: [UInt8], isReplayable: Bool = true) {
        self.bytes = bytes
        self.isReplayable = isReplayable
    }

    /// Makes a body of text in UTF-8.
    public init(_ text: String) {
        self.init(Array(text.utf8))
    }

    /// The number of octets.
    public var count: Int { bytes.count }

    /// The length; the content is not shown.
    public var description: String { "\(count) octets" }
}

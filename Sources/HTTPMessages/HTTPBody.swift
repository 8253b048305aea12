/// The content of a request, which can be read again from its start as often as a retry or a redirect needs.
public struct HTTPBody: Sendable, Hashable, CustomStringConvertible {
    /// The octets, in memory.
    public let bytes: [UInt8]

    /// Makes a body of octets.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Makes a body of text in UTF-8.
    public init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The number of octets.
    public var count: Int { bytes.count }

    /// The length; the content is not shown.
    public var description: String { "\(count) octets" }
}

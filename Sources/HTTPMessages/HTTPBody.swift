/// The content of a request: octets in memory, a file, or a sequence that is read while it is sent.
///
/// Octets and files can be read again from their start as often as a retry or a redirect needs, unless they say
/// otherwise. A sequence is read once.
public struct HTTPBody: Sendable, Hashable, CustomStringConvertible {
    /// Where the content comes from.
    public enum Content: Sendable, Hashable {
        /// Octets in memory.
        case bytes([UInt8])
        /// The file of this path, opened anew each time that the request is sent.
        case file(String)
        /// A sequence of pieces.
        case stream(HTTPBodyStream)
    }

    /// Where the content comes from.
    public let content: Content
    /// Whether the content may be sent again, by a retry or by a redirect that keeps it.
    public let isReplayable: Bool

    /// Makes a body of octets; one that must not leave twice, such as a one-time code, is not replayable.
    public init(_ bytes: [UInt8], isReplayable: Bool = true) {
        content = .bytes(bytes)
        self.isReplayable = isReplayable
    }

    /// Makes a body of text in UTF-8.
    public init(_ text: String) {
        self.init(Array(text.utf8))
    }

    /// Makes a body of a file, which is read while it is sent and must not change meanwhile.
    public init(file path: String) {
        content = .file(path)
        isReplayable = true
    }

    /// Makes a body of a sequence.
    public init(_ stream: HTTPBodyStream) {
        content = .stream(stream)
        isReplayable = false
    }

    /// The octets of a body in memory; nil for a file or a sequence.
    public var bytes: [UInt8]? {
        if case .bytes(let bytes) = content { bytes } else { nil }
    }

    /// The number of octets, where it is known before the content is read.
    public var count: Int? {
        switch content {
        case .bytes(let bytes): bytes.count
        case .file: nil
        case .stream(let stream): stream.count
        }
    }

    /// The kind and the length; the content is not shown.
    public var description: String {
        switch content {
        case .bytes(let bytes): "\(bytes.count) octets"
        case .file: "a file"
        case .stream(let stream): stream.count.map { "a stream of \($0) octets" } ?? "a stream"
        }
    }
}

extension HTTPBody: CustomReflectable {
    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The content of a response, piece by piece as it comes in.
///
/// Whoever reads slowly slows the server down: no more than half a mebibyte waits in memory, and what one read from the
/// network gave: 64 KiB or, when a content coding is decoded, what 16 KiB expand to. Over HTTP/2, beside others that receive
/// something, it can be all that the window of the stream lets through, 32 MiB. More than 64 MiB, decoded, is an error.
///
/// The content can be read once, by one task at a time. Letting go of the stream before its end gives the exchange up.
public struct HTTPByteStream: AsyncSequence, Sendable, Hashable {
    /// What gives the pieces.
    public protocol Source: AnyObject, Sendable {
        /// The next piece, which is not empty, or nil at the end.
        ///
        /// - Throws: The transport's error when the content does not come to its end, or `CancellationError`.
        func next() async throws -> [UInt8]?

        /// The trailer fields, once the end was reached.
        var trailers: HTTPFields { get }

        /// What was measured of the whole exchange, once the end was reached; nil before, and unless something is measured.
        var metrics: HTTPTransferMetrics? { get }
    }

    private let source: any Source

    /// Makes a stream.
    public init(_ source: any Source) {
        self.source = source
    }

    /// The trailer fields (RFC 9110, section 6.5), once the end was reached.
    public var trailers: HTTPFields { source.trailers }

    /// What was measured of the whole exchange, once the end was reached; the response's own metrics end with its head.
    public var metrics: HTTPTransferMetrics? { source.metrics }

    /// Reads the content from where it was last read.
    public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

    /// Reads pieces.
    public struct Iterator: AsyncIteratorProtocol {
        let source: any Source

        /// The next piece, or nil at the end.
        ///
        /// - Throws: As ``Source/next()``.
        public mutating func next() async throws -> [UInt8]? { try await source.next() }
    }

    /// Reads all that is left.
    ///
    /// - Parameter limit: The most octets that are taken.
    /// - Returns: The octets; nil when there are more than the limit. The exchange is given up then when the stream is let go.
    /// - Throws: As ``Source/next()``.
    public func collect(upTo limit: Int) async throws -> [UInt8]? {
        var bytes: [UInt8] = []
        while let piece = try await source.next() {
            guard piece.count <= limit - bytes.count else { return nil }
            bytes += piece
        }
        return bytes
    }

    /// Whether both are the same stream.
    public static func == (left: HTTPByteStream, right: HTTPByteStream) -> Bool {
        left.source === right.source
    }

    /// Feeds the stream's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(source)) }
}

extension HTTPByteStream.Source {
    /// Nothing is measured.
    public var metrics: HTTPTransferMetrics? { nil }
}

internal import Locking

/// A stream whose beginning was read already, and is given once more.
package final class ReadAhead: HTTPByteStream.Source {
    /// The whole content; nil when it is longer than the limit.
    package let whole: [UInt8]?

    private let rest: HTTPByteStream
    private let start: Mutex<[UInt8]>

    /// Reads to the end, or to the first piece that goes beyond the limit.
    ///
    /// - Throws: What the stream throws.
    package init(_ stream: HTTPByteStream, limit: Int) async throws {
        rest = stream
        var bytes: [UInt8] = []
        var pieces = stream.makeAsyncIterator()
        while bytes.count <= limit, let piece = try await pieces.next() { bytes += piece }
        whole = bytes.count <= limit ? bytes : nil
        start = Mutex(bytes)
    }

    package var trailers: HTTPFields { rest.trailers }
    package var metrics: HTTPTransferMetrics? { rest.metrics }

    package func next() async throws -> [UInt8]? {
        let first = start.withLock { start in
            defer { start = [] }
            return start
        }
        guard first.isEmpty else { return first }
        var pieces = rest.makeAsyncIterator()
        return try await pieces.next()
    }
}

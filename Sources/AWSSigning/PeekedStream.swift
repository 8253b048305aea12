internal import HTTPMessages
internal import Locking

/// The content of a response of which the first pieces were read already: it gives them again, and then the rest.
final class PeekedStream: HTTPByteStream.Source {
    private let pieces: Mutex<ArraySlice<[UInt8]>>
    private let rest: HTTPByteStream

    private init(_ pieces: [[UInt8]], _ rest: HTTPByteStream) {
        self.pieces = Mutex(pieces[...])
        self.rest = rest
    }

    var trailers: HTTPFields { rest.trailers }

    func next() async throws -> [UInt8]? {
        if let piece = pieces.withLock({ $0.popFirst() }) { return piece }
        var iterator = rest.makeAsyncIterator()
        return try await iterator.next()
    }

    /// Reads what a response holds, of a stream no more than a limit, and leaves a stream that gives all of it.
    ///
    /// - Returns: The content; nil when it is longer than the limit.
    /// - Throws: What the stream throws.
    static func content(of response: inout HTTPResponse, upTo limit: Int) async throws -> [UInt8]? {
        guard let stream = response.stream else { return response.body }
        var pieces: [[UInt8]] = []
        var count = 0
        for try await piece in stream {
            pieces.append(piece)
            count += piece.count
            guard count <= limit else { break }
        }
        response.stream = HTTPByteStream(PeekedStream(pieces, stream))
        return count <= limit ? Array(pieces.joined()) : nil
    }
}

import Locking

/// Content that is there already, as a stream of one piece.
final class WholeContent: HTTPByteStream.Source {
    let trailers: HTTPFields
    private let piece: Mutex<[UInt8]?>

    init(_ bytes: [UInt8], trailers: HTTPFields) {
        piece = Mutex(bytes.isEmpty ? nil : bytes)
        self.trailers = trailers
    }

    func next() async throws -> [UInt8]? {
        piece.withLock { piece in
            defer { piece = nil }
            return piece
        }
    }
}

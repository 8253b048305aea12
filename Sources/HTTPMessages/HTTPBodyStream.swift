import Locking

/// Content that is made while it is sent, a piece at a time.
///
/// A slow connection asks for the next piece only when the one before has gone, so no more than a few pieces are in
/// memory.
public final class HTTPBodyStream: Sendable, Hashable {
    /// The number of octets; nil when it is not known, and the content is then sent in chunks.
    public let count: Int?
    private let run: @Sendable (_ take: @Sendable ([UInt8]) async throws -> Void) async throws -> Void

    /// Makes content of a sequence of pieces.
    ///
    /// - Parameters:
    ///   - sequence: The pieces; it is iterated once.
    ///   - count: The number of octets, when it is known; a sequence that gives another number fails the request.
    public init<Pieces: AsyncSequence & Sendable>(_ sequence: Pieces, count: Int? = nil)
    where Pieces.Element == [UInt8] {
        self.count = count
        run = { take in
            for try await piece in sequence { try await take(piece) }
        }
    }

    /// Makes content of a closure that gives the pieces, one after the other.
    package init(
        count: Int?,
        _ run: @escaping @Sendable (_ take: @Sendable ([UInt8]) async throws -> Void) async throws -> Void
    ) {
        self.count = count
        self.run = run
    }

    /// Reads the content, once.
    ///
    /// - Parameter take: Takes a piece, and returns when the next one is wanted.
    /// - Throws: What the sequence or `take` throws.
    public func read(_ take: @Sendable ([UInt8]) async throws -> Void) async throws {
        try await run(take)
    }

    /// Reads the content into memory, once.
    ///
    /// - Parameter limit: The most octets that are taken.
    /// - Returns: The octets; nil when there are more than the limit.
    /// - Throws: What the sequence throws.
    public func collect(upTo limit: Int) async throws -> [UInt8]? {
        let bytes = Mutex<[UInt8]>([])
        do {
            try await read { piece in
                try bytes.withLock { bytes in
                    guard piece.count <= limit - bytes.count else { throw TooLong() }
                    bytes += piece
                }
            }
        } catch is TooLong {
            return nil
        }
        return bytes.withLock { $0 }
    }

    private struct TooLong: Error {}

    /// Whether both are the same object.
    public static func == (left: HTTPBodyStream, right: HTTPBodyStream) -> Bool { left === right }

    /// Feeds the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

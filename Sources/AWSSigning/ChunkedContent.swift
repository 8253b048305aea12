internal import Cryptography
internal import HTTPMessages
internal import Locking

/// Content of a known length that goes out in signed chunks of one size.
///
/// What is in memory stays there. A file or a stream is signed a chunk at a time while it is sent, so one chunk is in
/// memory, however long the content.
struct ChunkedContent {
    private let content: HTTPBody.Content
    private let isReplayable: Bool
    private let size: Int
    private let length: Int

    /// What the request announces.
    var payload: Payload { .signedChunks(length: length) }
    /// How many octets are sent.
    let encodedLength: Int

    /// Takes the content of a request; nil when there is none to put into chunks.
    ///
    /// - Throws: ``AWSSigningError`` with code `unsupportedPayload` for a stream of unknown length, or for what is no
    ///   regular file that can be read.
    init?(_ body: HTTPBody, size: Int) throws(AWSSigningError) {
        switch body.content {
        case .bytes(let bytes): length = bytes.count
        case .file(let path):
            length = try Self.reading { () throws(ContentFile.Fault) in try ContentFile(path).length }
        case .stream(let stream):
            guard let count = stream.count else {
                throw AWSSigningError(.unsupportedPayload, "a stream in chunks needs a known length")
            }
            length = count
        }
        guard length > 0,
            let encodedLength = ChunkSigner.encodedLength(of: .signedChunks(length: length), chunkSize: size)
        else { return nil }
        content = body.content
        isReplayable = body.isReplayable
        self.size = size
        self.encodedLength = encodedLength
    }

    private static func reading<Value>(
        _ body: () throws(ContentFile.Fault) -> Value
    ) throws(AWSSigningError) -> Value {
        do throws(ContentFile.Fault) { return try body() } catch {
            throw AWSSigningError(.unsupportedPayload, "the file of the content cannot be read")
        }
    }

    /// What is signed of a request without content to put into chunks.
    static func emptyPayload(of request: HTTPRequest) throws(AWSSigningError) -> Payload {
        guard let body = request.body, body.bytes == nil else { return .body }
        // The digest of no octets: a file or stream that is empty is not in memory all the same.
        return try .digest(
            AWSSigningError.cryptography { () throws(CryptographyError) in try HashAlgorithm.sha256.hash([]) }
        )
    }

    /// The request that was signed, with the chunks as its content.
    ///
    /// - Throws: ``AWSSigningError`` when the chunks cannot be signed. A file or stream that turns out to have another
    ///   length fails with code `chunkMismatch` while it is sent.
    func request(_ signed: SignedRequest) throws(AWSSigningError) -> HTTPRequest {
        var request = signed.request
        switch content {
        case .bytes(let bytes):
            let chunks = try ChunkQueue(signed, size: size)
            request.body = HTTPBody(try chunks.add(bytes) + chunks.finish(), isReplayable: isReplayable)
        case .file(let path):
            request.body = body { [size] take in
                let chunks = try ChunkQueue(signed, size: size)
                let file = try Self.reading { () throws(ContentFile.Fault) in try ContentFile(path) }
                func next() throws(AWSSigningError) -> [UInt8]? {
                    try Self.reading { () throws(ContentFile.Fault) in try file.read(upTo: size) }
                }
                while let piece = try next() {
                    let output = try chunks.add(piece)
                    if !output.isEmpty { try await take(output) }
                }
                try await take(try chunks.finish())
            }
        case .stream(let stream):
            request.body = body { [size] take in
                let chunks = try ChunkQueue(signed, size: size)
                try await stream.read { piece in
                    let output = try chunks.add(piece)
                    if !output.isEmpty { try await take(output) }
                }
                try await take(try chunks.finish())
            }
        }
        return request
    }

    private func body(
        _ run: @escaping @Sendable (_ take: @Sendable ([UInt8]) async throws -> Void) async throws -> Void
    ) -> HTTPBody {
        HTTPBody(HTTPBodyStream(count: encodedLength, run))
    }
}

/// Makes chunks of one size of pieces of any.
private final class ChunkQueue: Sendable {
    private struct State: ~Copyable {
        var signer: ChunkSigner
        var pending: [UInt8] = []
    }

    private let size: Int
    private let state: Mutex<State>

    init(_ signed: SignedRequest, size: Int) throws(AWSSigningError) {
        self.size = size
        state = Mutex(State(signer: try ChunkSigner(signed)))
    }

    /// The chunks that are full now.
    func add(_ piece: [UInt8]) throws(AWSSigningError) -> [UInt8] {
        try state.withLock { state throws(AWSSigningError) in
            state.pending += piece
            var output: [UInt8] = []
            var start = 0
            while state.pending.count - start >= size {
                output += try state.signer.chunk(Array(state.pending[start..<(start + size)]))
                start += size
            }
            state.pending.removeFirst(start)
            return output
        }
    }

    /// The chunk that is not full, and the one that ends the content.
    func finish() throws(AWSSigningError) -> [UInt8] {
        try state.withLock { state throws(AWSSigningError) in
            try state.signer.chunk(state.pending) + state.signer.finish()
        }
    }
}

internal import Cryptography
public import HTTPMessages

/// Writes content as the chunks of `aws-chunked`, each signed with the one before.
///
/// The first signature is the request's. Every octet that was announced must pass, then ``finish(trailers:)`` ends the
/// content. Object stores want at least 8,192 octets in each chunk but the last.
public struct ChunkSigner: ~Copyable, Sendable {
    private let key: SigningKey
    private let prefix: [UInt8]
    private let isSigned: Bool
    private let announced: [HTTPField.Name]
    private var previous: [UInt8]
    private var remaining: Int
    private var isFinished = false

    /// Goes on from a request that announced its content in chunks.
    ///
    /// - Throws: ``AWSSigningError`` with code `unsupportedPayload` when it did not.
    public init(_ request: SignedRequest) throws(AWSSigningError) {
        guard let chunks = request.payload.chunks else {
            throw AWSSigningError(.unsupportedPayload, "the request does not announce chunks")
        }
        if case .signedChunks = request.payload { isSigned = true } else { isSigned = false }
        key = request.key
        previous = LowerHex.encode(request.signatureOctets)
        remaining = chunks.length
        announced = chunks.trailers
        prefix = request.time.octets + [newline] + request.stringToSign.scopeOctets + [newline]
    }

    /// The signature of the last chunk, or of the request, in hexadecimal.
    public var lastSignature: String { String(decoding: previous, as: UTF8.self) }

    /// Writes a chunk; nothing for no octets, because an empty chunk is the last.
    ///
    /// - Returns: Length, signature and content, as they are sent.
    /// - Throws: ``AWSSigningError`` with code `chunkMismatch` for more octets than were announced, or after the end.
    public mutating func chunk(_ content: [UInt8]) throws(AWSSigningError) -> [UInt8] {
        guard !content.isEmpty else { return [] }
        guard !isFinished, content.count <= remaining else {
            throw AWSSigningError(.chunkMismatch, "there is more content than was announced")
        }
        remaining -= content.count
        return try frame(content)
    }

    /// Writes the last chunk, and the trailers that were announced.
    ///
    /// - Parameter trailers: The fields, in the order that was announced.
    /// - Returns: What ends the content on the wire.
    /// - Throws: ``AWSSigningError`` with code `chunkMismatch` when octets are missing, when the trailers are not those
    ///   that were announced, or after the end; `invalidField` for a trailer that is not ASCII.
    public mutating func finish(trailers: HTTPFields = HTTPFields()) throws(AWSSigningError) -> [UInt8] {
        guard !isFinished, remaining == 0 else {
            throw AWSSigningError(.chunkMismatch, "there is less content than was announced")
        }
        guard trailers.map(\.name) == announced else {
            throw AWSSigningError(.chunkMismatch, "the trailers are not those that were announced")
        }
        guard trailers.allSatisfy({ $0.value.utf8.allSatisfy { $0 < 0x80 } }) else {
            throw AWSSigningError(.invalidField, "a trailer is not ASCII")
        }
        var output = try frame([])
        if !trailers.isEmpty {
            // The line that ends an empty chunk stands before trailers only after the last of them.
            output.removeLast(2)
            var canonical: [UInt8] = []
            for trailer in trailers.sorted(by: { $0.name.canonicalName < $1.name.canonicalName }) {
                canonical += "\(trailer.name.canonicalName):\(trailer.value)\n".utf8
            }
            for trailer in trailers { output += "\(trailer.name.canonicalName):\(trailer.value)\r\n".utf8 }
            if isSigned {
                previous = try sign("AWS4-HMAC-SHA256-TRAILER\n", [LowerHex.encode(try Self.hash(canonical))])
                output += "x-amz-trailer-signature:\(lastSignature)\r\n".utf8
            }
            output += "\r\n".utf8
        }
        isFinished = true
        return output
    }

    /// How long content is once it is in chunks, for `Content-Length`.
    ///
    /// - Parameters:
    ///   - payload: What the request announces.
    ///   - chunkSize: The length of each chunk but the last.
    ///   - trailers: The trailers that will follow.
    /// - Returns: The number of octets, or nil for a payload that is not in chunks or a size below 1.
    public static func encodedLength(
        of payload: Payload,
        chunkSize: Int,
        trailers: HTTPFields = HTTPFields()
    ) -> Int? {
        guard let length = payload.chunks?.length, length >= 0, chunkSize > 0 else { return nil }
        let isSigned = if case .signedChunks = payload { true } else { false }
        let perChunk = isSigned ? ";chunk-signature=".utf8.count + 64 + 4 : 4
        func framed(_ size: Int) -> Int { String(size, radix: 16).utf8.count + perChunk + size }
        var total = length / chunkSize * framed(chunkSize) + framed(0)
        if length % chunkSize > 0 { total += framed(length % chunkSize) }
        for trailer in trailers { total += trailer.name.rawName.utf8.count + trailer.value.utf8.count + 3 }
        if isSigned, !trailers.isEmpty { total += "x-amz-trailer-signature:".utf8.count + 64 + 2 }
        return total
    }

    private mutating func frame(_ content: [UInt8]) throws(AWSSigningError) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(content.count + 100)
        output += String(content.count, radix: 16).utf8
        if isSigned {
            previous = try sign(
                "AWS4-HMAC-SHA256-PAYLOAD\n",
                [
                    LowerHex.emptyHash,
                    content.isEmpty ? LowerHex.emptyHash : LowerHex.encode(try Self.hash(content)),
                ]
            )
            output += ";chunk-signature=".utf8
            output += previous
        }
        output += "\r\n".utf8
        output += content
        output += "\r\n".utf8
        return output
    }

    private func sign(_ algorithm: String, _ hashes: [[UInt8]]) throws(AWSSigningError) -> [UInt8] {
        var text = Array(algorithm.utf8) + prefix + previous
        for hash in hashes {
            text.append(newline)
            text += hash
        }
        return LowerHex.encode(try key.sign(text))
    }

    private static func hash(_ octets: [UInt8]) throws(AWSSigningError) -> [UInt8] {
        try AWSSigningError.cryptography { () throws(CryptographyError) in
            try HashAlgorithm.sha256.hash(octets)
        }
    }
}

private let newline = UInt8(ascii: "\n")

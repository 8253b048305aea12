import AWSSigning
import HTTPMessages
import Testing

@Suite("Chunks") struct ChunkTests {
    private func signed(_ payload: Payload, _ fields: [(String, String)] = []) throws -> SignedRequest {
        try Example.s3Signer().sign(
            HTTPRequest(.put, "https://example.com/k", fields),
            with: Example.credentials(),
            payload: payload
        )
    }

    @Test func unsignedChunksEndInAChecksum() throws {
        let request = try signed(.unsignedChunks(length: 5, trailers: ["x-amz-checksum-crc32"]))
        #expect(request.request["x-amz-content-sha256"] == "STREAMING-UNSIGNED-PAYLOAD-TRAILER")
        #expect(request.request["X-Amz-Trailer"] == "x-amz-checksum-crc32")
        #expect(request.request["X-Amz-Decoded-Content-Length"] == "5")
        #expect(request.request["Content-Encoding"] == "aws-chunked")
        var chunks = try ChunkSigner(request)
        let trailers = HTTPFields([try HTTPField("x-amz-checksum-crc32", "AAAAAA==")])
        let wire =
            try chunks.chunk(Array("abc".utf8)) + chunks.chunk(Array("de".utf8))
            + chunks.finish(trailers: trailers)
        #expect(
            String(decoding: wire, as: UTF8.self)
                == "3\r\nabc\r\n2\r\nde\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n"
        )
        #expect(
            ChunkSigner.encodedLength(of: request.payload, chunkSize: 3, trailers: trailers) == wire.count
        )
    }

    @Test(arguments: [0, 1, 8_191, 8_192, 8_193, 16_384, 20_000]) func theLengthIsKnownBefore(
        length: Int
    ) throws {
        let payload = Payload.signedChunks(length: length)
        var chunks = try ChunkSigner(try signed(payload))
        var count = 0
        for start in stride(from: 0, to: length, by: 8_192) {
            count += try chunks.chunk([UInt8](repeating: 7, count: min(8_192, length - start))).count
        }
        count += try chunks.finish().count
        #expect(ChunkSigner.encodedLength(of: payload, chunkSize: 8_192) == count)
    }

    @Test func noLengthWithoutChunks() {
        #expect(ChunkSigner.encodedLength(of: .body, chunkSize: 8_192) == nil)
        #expect(ChunkSigner.encodedLength(of: .signedChunks(length: 1), chunkSize: 0) == nil)
        #expect(ChunkSigner.encodedLength(of: .signedChunks(length: -1), chunkSize: 1) == nil)
    }

    @Test(arguments: [
        ("gzip", "aws-chunked,gzip"), ("aws-chunked", "aws-chunked"),
        ("aws-chunked,gzip", "aws-chunked,gzip"),
    ])
    func otherCodingsStay(given: String, sent: String) throws {
        let request = try signed(.signedChunks(length: 1), [("Content-Encoding", given)])
        #expect(request.request["Content-Encoding"] == sent)
        #expect(request.canonicalRequest.text.contains("\ncontent-encoding:\(sent)\n"))
    }

    @Test func anEmptyChunkIsNoneAndContentDecidesOnTheSignature() throws {
        let request = try signed(.signedChunks(length: 2))
        var first = try ChunkSigner(request)
        var second = try ChunkSigner(request)
        #expect(try first.chunk([]).isEmpty)
        _ = try first.chunk([1, 2])
        _ = try second.chunk([1, 3])
        #expect(first.lastSignature != second.lastSignature)
    }
}

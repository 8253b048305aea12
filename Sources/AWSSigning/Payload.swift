public import HTTPMessages

/// How the content of a request takes part in its signature.
public enum Payload: Sendable, Hashable {
    /// The SHA-256 of the request's body is computed and signed.
    case body
    /// This SHA-256, of 32 octets, is signed; the caller vouches that it is the content's.
    case digest([UInt8])
    /// The content is not signed: `UNSIGNED-PAYLOAD`.
    case unsigned
    /// The content follows in chunks, each signed with the one before; see ``ChunkSigner``.
    ///
    /// `length` is the number of octets of the content itself; the trailers, when there are any, are signed at the end.
    case signedChunks(length: Int, trailers: [HTTPField.Name] = [])
    /// The content follows in chunks that are not signed, and the trailers hold its checksum.
    case unsignedChunks(length: Int, trailers: [HTTPField.Name])

    /// What stands for the content in the canonical request, when it is not a digest.
    var marker: StaticString? {
        switch self {
        case .body, .digest: nil
        case .unsigned: "UNSIGNED-PAYLOAD"
        case .signedChunks(_, let trailers):
            trailers.isEmpty
                ? "STREAMING-AWS4-HMAC-SHA256-PAYLOAD" : "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"
        case .unsignedChunks: "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
        }
    }

    /// The length and the trailers of content in chunks.
    var chunks: (length: Int, trailers: [HTTPField.Name])? {
        switch self {
        case .body, .digest, .unsigned: nil
        case .signedChunks(let length, let trailers), .unsignedChunks(let length, let trailers):
            (length, trailers)
        }
    }
}

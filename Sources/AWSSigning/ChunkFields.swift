internal import HTTPMessages

/// The fields that announce content in chunks, and whether it may be sent so.
enum ChunkFields {
    /// - Throws: ``AWSSigningError`` with code `unsupportedPayload` or `invalidPayload`.
    static func check(
        _ payload: Payload,
        profile: ServiceProfile,
        scheme: SignatureScheme
    ) throws(AWSSigningError) {
        guard let chunks = payload.chunks else { return }
        guard profile.acceptsChunks else {
            throw AWSSigningError(.unsupportedPayload, "the service does not take content in signed chunks")
        }
        guard scheme.regionSet == nil else {
            throw AWSSigningError(.unsupportedPayload, "SigV4a signs no chunks here")
        }
        guard chunks.length >= 0 else {
            throw AWSSigningError(.invalidPayload, "the length of the content is negative")
        }
        if case .unsignedChunks(_, let trailers) = payload, trailers.isEmpty {
            throw AWSSigningError(
                .unsupportedPayload,
                "chunks that are not signed need a checksum as trailer"
            )
        }
        guard Set(chunks.trailers).count == chunks.trailers.count else {
            throw AWSSigningError(.invalidPayload, "a trailer is announced twice")
        }
    }

    /// Adds the fields, which are signed like those of the caller.
    ///
    /// - Throws: ``AWSSigningError`` with code `conflictingField` when the caller's own say something else.
    static func add(_ payload: Payload, to fields: inout [HTTPField]) throws(AWSSigningError) {
        guard let chunks = payload.chunks else { return }
        if let index = fields.firstIndex(where: { $0.name == .contentEncoding }) {
            let codings = fields[index].value
            if codings != "aws-chunked", !codings.hasPrefix("aws-chunked,") {
                fields[index] = try RequestSigner.field(.contentEncoding, "aws-chunked,\(codings)")
            }
        } else {
            fields.append(try RequestSigner.field(.contentEncoding, "aws-chunked"))
        }
        try add(.amzDecodedLength, String(chunks.length), to: &fields)
        if !chunks.trailers.isEmpty {
            try add(
                .amzTrailer,
                chunks.trailers.map(\.canonicalName).joined(separator: ","),
                to: &fields
            )
        }
    }

    private static func add(
        _ name: HTTPField.Name,
        _ value: String,
        to fields: inout [HTTPField]
    ) throws(AWSSigningError) {
        guard let field = fields.first(where: { $0.name == name }) else {
            fields.append(try RequestSigner.field(name, value))
            return
        }
        guard field.value == value else {
            throw AWSSigningError(.conflictingField, "\(name) contradicts the content that is announced")
        }
    }
}

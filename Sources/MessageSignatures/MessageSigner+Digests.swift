public import HTTPMessages

extension MessageSigner {
    /// Gives a request the digest of its content, signs it, and gives it back with the fields.
    ///
    /// The content is hashed once; ``sign(_:)`` would hash it again, to compare it with a digest that somebody else made. A
    /// request whose `repr-digest` is covered gets that too, of the same octets, unless it says `Content-Range` or
    /// `Content-Encoding`.
    ///
    /// - Parameters:
    ///   - request: The request; a `Content-Digest` that it has is replaced.
    ///   - algorithms: The algorithms of the digest, at least one. A request without content has the digest of no octets.
    /// - Returns: The request with the fields.
    /// - Throws: ``SignatureError`` with code `contentUnavailable` for content that is not in memory,
    ///   `noSupportedDigestAlgorithm` when no algorithm is named, and as ``sign(_:)``.
    public func sign(
        _ request: HTTPRequest,
        digesting algorithms: Set<DigestAlgorithm>
    ) throws(SignatureError) -> HTTPRequest {
        try checkHeaderIsMeant()
        guard let content = request.body.map(\.bytes) ?? [] else { throw Self.contentUnavailable }
        var signed = request
        signed.fields.reserve(3)
        try set(.contentDigest, DigestField.text(for: content, using: algorithms), in: &signed.fields)
        if list.coversReprDigest, SignableMessage(request).holdsRepresentation {
            try set(.reprDigest, DigestField.text(for: content, using: algorithms), in: &signed.fields)
        }
        let signature = try signature(
            of: SignableMessage(
                SignableMessage.RequestLine(request),
                fields: signed.fields,
                content: content
            ),
            checksContentDigest: false
        )
        try add(signature, to: &signed.fields)
        return signed
    }

    /// Gives a response the digest that its request asks for, signs it, and gives it back with the fields.
    ///
    /// The algorithm is the one that `Want-Content-Digest` likes best (RFC 9530, section 4). When `repr-digest` is covered,
    /// a response with status 200 and its whole content gets that too, as `Want-Repr-Digest` likes it.
    ///
    /// - Parameters:
    ///   - response: The response, its content in memory; a `Content-Digest` that it has is replaced.
    ///   - request: The request that it answers, for its wishes and for components with `req`.
    ///   - minimum: The weakest algorithm, which is taken for a request without a wish, with one that cannot be read, or
    ///     with one for weaker algorithms alone.
    /// - Returns: The response with the fields.
    /// - Throws: ``SignatureError`` with code `contentUnavailable` for content that comes as a stream, and as
    ///   ``sign(_:answering:)``.
    public func sign(
        _ response: HTTPResponse,
        answering request: HTTPRequest?,
        digestingAtLeast minimum: DigestAlgorithm
    ) throws(SignatureError) -> HTTPResponse {
        guard response.stream == nil else { throw Self.contentUnavailable }
        var signed = response
        func digest(_ wish: HTTPField.Name) throws(SignatureError) -> String {
            let values = request?.fields[values: wish].joined(separator: ", ") ?? ""
            let preferences = try? DigestPreferences(parsing: Array(values.utf8))
            let algorithm = preferences?.algorithm(atLeast: minimum) ?? minimum
            return try DigestField.text(for: response.body, using: [algorithm])
        }
        try set(.contentDigest, digest(.wantContentDigest), in: &signed.fields)
        if list.coversReprDigest, SignableMessage(response, answering: request).holdsRepresentation {
            try set(.reprDigest, digest(.wantReprDigest), in: &signed.fields)
        }
        return try sign(signed, answering: request)
    }

    private func set(
        _ name: HTTPField.Name,
        _ digest: String,
        in fields: inout HTTPFields
    ) throws(SignatureError) {
        do throws(HTTPMessageError) {
            try fields.set(digest, for: name)
        } catch {
            throw SignatureError(
                .malformedContentDigest,
                "the message cannot hold the digest",
                underlying: error
            )
        }
    }

    private static var contentUnavailable: SignatureError {
        SignatureError(.contentUnavailable, "the content is not at hand")
    }
}

internal import AppAttestation
internal import Cryptography
internal import Encodings
internal import HTTPMessages
internal import Timing

/// Puts time, key and assertion of a request into its fields.
struct RequestSigner: Sendable {
    let fields: AssertionFields
    let signingString: RequestSigningString
    let maximumBodySize: Int
    let time: TimeSource

    /// Signs a request whose content is in memory.
    ///
    /// - Returns: Nil when there is no attested key just now.
    func sign(
        _ request: HTTPRequest,
        with service: AttestationService
    ) async throws -> (request: HTTPRequest, generation: Int)? {
        var timestamp = ""
        let assertion = try await service.currentAssertion {
            // Now, and not before the wait for it: the backend takes it for a minute.
            timestamp = try now()
            return try hash(of: request, at: timestamp)
        }
        guard let assertion else { return nil }
        var request = request
        if let body = request.body?.bytes, !body.isEmpty, !request.fields.contains("Content-Digest") {
            try request.fields.set(try Self.digest(of: body), for: "Content-Digest")
        }
        try request.fields.set(assertion.keyID, for: fields.keyID)
        try request.fields.set(Base64.standard.encode(assertion.object), for: fields.signature)
        try request.fields.set(timestamp, for: fields.timestamp)
        return (request, assertion.generation)
    }

    private func now() throws(AttestationClientError) -> String {
        guard let text = AssertionTimestamp.text(secondsSince1970: time.secondsSince1970) else {
            throw AttestationClientError(.unsignableRequest, "the clock is outside the years 1970 to 9999")
        }
        return text
    }

    private func hash(
        of request: HTTPRequest,
        at timestamp: String
    ) throws(AttestationClientError) -> [UInt8] {
        let parts = RequestSigningString.Parts(
            method: request.method.rawValue,
            authority: request.target.authority,
            path: request.target.originForm,
            timestamp: timestamp,
            body: request.body?.bytes ?? []
        )
        do throws(AttestationError) { return try signingString.clientDataHash(for: parts) } catch {
            throw AttestationClientError(
                .unsignableRequest,
                "the string to sign cannot be built",
                underlying: error
            )
        }
    }

    /// The field of RFC 9530, section 2.
    ///
    /// It is not signed, but tells the backend that the content was changed, and not something else of the request.
    private static func digest(of body: [UInt8]) throws(AttestationClientError) -> String {
        let hash = try AttestationClientError.cryptography { () throws(CryptographyError) in
            try HashAlgorithm.sha256.hash(body)
        }
        return "sha-256=:\(Base64.standard.encode(hash)):"
    }

    /// The request with its content in memory, so that what is signed is what is sent.
    ///
    /// - Throws: ``AttestationClientError`` with code `unsignableBody`.
    func readingBody(of request: HTTPRequest) throws(AttestationClientError) -> HTTPRequest {
        switch request.body?.content {
        case nil: return request
        case .bytes(let bytes):
            guard bytes.count <= maximumBodySize else { throw tooLarge }
            return request
        case .file(let path):
            var request = request
            request.body = HTTPBody(try contents(of: path))
            return request
        case .stream:
            throw AttestationClientError(
                .unsignableBody,
                "a stream cannot be read twice, to be signed and sent"
            )
        }
    }

    private func contents(of path: String) throws(AttestationClientError) -> [UInt8] {
        let content: [UInt8]?
        do throws(ContentFile.Fault) {
            content = try ContentFile(path).contents(upTo: maximumBodySize)
        } catch { throw unreadable }
        guard let content else { throw tooLarge }
        return content
    }

    private var unreadable: AttestationClientError {
        AttestationClientError(.unsignableBody, "the file of the content cannot be read")
    }

    private var tooLarge: AttestationClientError {
        AttestationClientError(
            .unsignableBody,
            "the content is larger than what is signed, \(maximumBodySize) octets"
        )
    }
}

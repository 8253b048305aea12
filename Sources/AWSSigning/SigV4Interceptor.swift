internal import FoundationEssentials
public import HTTPMessages
internal import Timing

/// Signs each request on its way to a service.
///
/// It stands innermost: what it signs is what is sent. A request that comes again, for a retry or after a redirect, is
/// signed anew for where it goes now. Requests to other hosts pass without a signature, and lose the one that an earlier
/// hop had.
///
/// When a service refuses a signature for its time, the request is sent once more with the service's clock: see
/// `maximumSkew`. A request whose content cannot be sent again gets the refusal; the next one has the clock. Of a refusal
/// that comes as a stream the first 64 KiB are read for its code. A refusal of HEAD has no content, so no code unless a
/// field holds it: the service's clock is then tried, and kept when the service takes it.
///
/// Credentials are asked for by the service's clock too, once it is known. Before that, those that have ended by this machine's
/// clock, and by no more than `maximumSkew`, are sent all the same: the service's answer says whose clock is wrong.
public final class SigV4Interceptor: HTTPInterceptor {
    /// How the content of requests takes part in their signatures.
    public enum Content: Sendable, Hashable {
        /// Its SHA-256 is signed.
        case signed
        /// It is not signed; under TLS only.
        case unsigned
        /// It is sent in signed chunks of this many octets, at least 8,192.
        ///
        /// A file, and a stream whose length is known, are signed while they are sent; they become a stream, which the
        /// transport does not send again by itself.
        case chunks(size: Int)
    }

    private let signer: RequestSigner
    private let credentials: any AWSCredentialsProvider
    private let hosts: [HostPattern]
    private let content: Content
    private let skew: ClockSkew

    /// Makes an interceptor.
    ///
    /// - Parameters:
    ///   - signer: The signer for the service.
    ///   - credentials: Asked for each request; a cache may stand in front.
    ///   - hosts: The hosts that belong to the service. Nobody else gets a signature.
    ///   - content: How bodies take part.
    ///   - maximumSkew: How far a service's clock may be from this machine's to be believed after a refusal; zero never
    ///     corrects.
    /// - Throws: ``AWSSigningError`` with code `unsupportedPayload` for chunks that the service does not take or that are
    ///   too small.
    public init(
        _ signer: RequestSigner,
        credentials: any AWSCredentialsProvider,
        hosts: [HostPattern],
        content: Content = .signed,
        maximumSkew: Duration = .seconds(86_400)
    ) throws(AWSSigningError) {
        if case .chunks(let size) = content {
            guard size >= 8_192 else {
                throw AWSSigningError(.unsupportedPayload, "a chunk has at least 8,192 octets")
            }
            try ChunkFields.check(.signedChunks(length: 0), profile: signer.profile, scheme: signer.scheme)
        }
        self.signer = signer
        self.credentials = credentials
        self.hosts = hosts
        self.content = content
        skew = ClockSkew(limit: maximumSkew)
    }

    /// Signs the request and sends it, twice at most.
    ///
    /// - Throws: ``AWSSigningError`` when it cannot be signed, and nothing is sent then; what the provider and the
    ///   session throw.
    public func intercept(
        _ request: HTTPRequest,
        next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard hosts.contains(where: { $0.matches(request.target.host) }) else {
            return try await next(Self.withoutSignature(request))
        }
        let target = request.target
        let offset = skew.offset(for: target)
        var response = try await next(try await signed(request, offset: offset))
        if !ClockSkew.isRefusal(response), response.status.isSuccess { skew.keepAgreement(of: target) }
        let now = signer.timeSource.date()
        guard let suggested = skew.suggestion(in: response, of: target, used: offset, now: now) else {
            return response
        }
        let code = try await Self.content(of: &response).flatMap {
            ClockSkew.errorCode(of: response, content: $0)
        }
        if let code {
            guard ClockSkew.mayMeanTime(code) else { return response }
            skew.keep(suggested, for: target)
            guard request.body?.isReplayable != false else { return response }
            return try await next(try await signed(request, offset: skew.offset(for: target)))
        }
        guard request.method == .head else { return response }
        let second = try await next(try await signed(request, offset: suggested))
        if !ClockSkew.isRefusal(second) { skew.keep(suggested, for: target) }
        return second
    }

    /// The content of a refusal, which a stream still gives to who asked for one; nil when it is longer than errors are.
    private static func content(of response: inout HTTPResponse) async throws -> [UInt8]? {
        guard let stream = response.stream else { return response.body }
        let start = try await ReadAhead(stream, limit: ClockSkew.longestError)
        response.stream = HTTPByteStream(start)
        return start.whole
    }

    private func signed(_ request: HTTPRequest, offset: Double) async throws -> HTTPRequest {
        // The end of credentials is a date of the service's clock, and so is the signing date.
        func now() -> Date { signer.timeSource.date().addingTimeInterval(offset) }
        var credentials = try await credentials.credentials(at: now())
        let date = now()
        if let end = credentials.expiration, end <= date, offset == 0,
            skew.mayExcuse(end: end, at: date, for: request.target)
        {
            credentials.expiration = nil
        }
        switch content {
        case .signed:
            return try signer.sign(request, with: credentials, at: date).request
        case .unsigned:
            guard request.target.isSecure || request.target.isLoopback else {
                throw AWSSigningError(.unsupportedPayload, "content that is not signed needs TLS")
            }
            return try signer.sign(request, with: credentials, payload: .unsigned, at: date).request
        case .chunks(let size):
            guard let body = request.body, let content = try ChunkedContent(body, size: size) else {
                let payload = try ChunkedContent.emptyPayload(of: request)
                return try signer.sign(request, with: credentials, payload: payload, at: date).request
            }
            var request = request
            if request.fields.contains(.contentLength) {
                request.fields.set(try RequestSigner.field(.contentLength, String(content.encodedLength)))
            }
            return try content.request(
                signer.sign(request, with: credentials, payload: content.payload, at: date)
            )
        }
    }

    /// The request without the fields of a signature for another host.
    ///
    /// The session token goes even where an interceptor further out has dropped the signature before: it is a credential.
    private static func withoutSignature(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        request.fields.removeAll("X-Amz-Security-Token")
        guard request.fields[.authorization]?.hasPrefix("AWS4-") == true else { return request }
        request.fields = HTTPFields(
            request.fields.filter { !FieldRules.isOfSignature($0.name.canonicalName) }
        )
        return request
    }
}

public import AppAttestation
internal import Encodings
public import HTTPMessages
public import Timing

/// Signs every request to the backend with the attested key.
///
/// It stands inside the interceptors that add tokens, retry and follow redirects, so that it sees the request as it goes
/// out, and signs each attempt anew: the backend takes an assertion once. Requests to hosts that are not listed pass by
/// unsigned, because an assertion made for one server could be shown to another; so do those of the attestation itself. A
/// request that cannot be signed is not sent. Beside the fields of the assertion a request with content gets its
/// `Content-Digest` (RFC 9530), unless it has one: a backend can then say `bodyChanged` in place of `badSignature`.
///
/// When the backend does not know the key any more (401 and the code `unknownKey`), it is reported, and the request goes
/// out once more with the key's successor. When another process's assertion came first (401 or 409 and the code
/// `counterOvertaken` or `counterNotAdvanced`), it goes out with a new assertion, twice at most.
///
/// What sends signed requests of its own, such as a refresh of tokens, stands outside of it: on the way of a signed request
/// another one would overtake its counter, and is refused. Where tokens are fetched further in and in a task of their own, as in a
/// `ProtectedSession`, the fetcher's requests must not be signed by the same service at all: one of them would wait for the
/// turn of a request that waits for it.
public struct AssertionInterceptor: HTTPInterceptor {
    /// When the next request is signed.
    public enum Pace: Sendable, Hashable {
        /// When the one before was answered: the counters arrive in order, which strict backends ask for.
        case answered
        /// When the one before was signed: requests go out together, and the backend must allow counters out of order.
        case signed
    }

    private let service: AttestationService
    private let hosts: [HostPattern]
    private let signer: RequestSigner
    private let pace: Pace
    private let deadline: Duration?

    private static let repeats = 2

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - service: The service, which the app starts.
    ///   - hosts: The hosts of the backend.
    ///   - fields: The names of the fields.
    ///   - signingString: How the string to sign is built.
    ///   - pace: When the next request is signed.
    ///   - maximumBodySize: The largest content that is signed, in octets; a file is taken into memory for it.
    ///   - deadline: How long a request waits for an attested key; nil for the service's own.
    ///   - time: Where the timestamps come from.
    public init(
        service: AttestationService,
        hosts: [HostPattern],
        fields: AssertionFields = AssertionFields(),
        signingString: RequestSigningString = .standard,
        pace: Pace = .answered,
        maximumBodySize: Int = 16 << 20,
        deadline: Duration? = nil,
        time: TimeSource = .system
    ) {
        self.service = service
        self.hosts = hosts
        self.pace = pace
        self.deadline = deadline
        signer = RequestSigner(
            fields: fields,
            signingString: signingString,
            maximumBodySize: maximumBodySize,
            time: time
        )
    }

    /// Sends the request on, signed.
    ///
    /// - Throws: As ``AttestationService/assertion(for:deadline:)``; ``AttestationClientError`` with code `insecureTarget`,
    ///   `unsignableBody` or `unsignableRequest`; what `next` throws.
    public func intercept(
        _ request: HTTPRequest,
        next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard !service.isEndpoint(request), hosts.contains(where: { $0.matches(request.target.host) }) else {
            return try await next(request)
        }
        guard request.target.isSecure || request.target.isLoopback else {
            throw AttestationClientError(.insecureTarget, "the request would go over plain http")
        }
        let request = try signer.readingBody(of: request)
        let isReplayable = request.body?.isReplayable != false
        var mayReport = true
        var repeats = 0
        while true {
            var (response, generation) = try await exchange(request, next)
            if response.status.isSuccess { await service.keyWasAccepted(generation: generation) }
            switch try await refusal(&response) {
            case "unknownKey" where response.status == .unauthorized && mayReport:
                mayReport = false
                service.keyWasRefused(generation: generation)
                guard isReplayable else { return response }
            case "counterOvertaken" where isReplayable && repeats < Self.repeats,
                "counterNotAdvanced" where isReplayable && repeats < Self.repeats:
                repeats += 1
            default: return response
            }
        }
    }

    /// Signs and sends, in turn.
    private func exchange(
        _ request: HTTPRequest,
        _ next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> (HTTPResponse, generation: Int) {
        while true {
            // Outside the turn, so that all that wait do so together, each with its own deadline.
            _ = try await service.attestedKeyID(deadline: deadline)
            switch pace {
            case .signed:
                guard let signed = try await signer.sign(request, with: service) else { continue }
                return (try await next(signed.request), signed.generation)
            case .answered:
                guard !service.exchanges.hasTurn else {
                    throw AttestationClientError(
                        .unsignableRequest,
                        "the request is sent on the way of a signed one, whose counter it would overtake"
                    )
                }
                let answer: (HTTPResponse, generation: Int)? = try await service.exchanges.inTurn {
                    guard let signed = try await signer.sign(request, with: service) else { return nil }
                    return (try await next(signed.request), signed.generation)
                }
                if let answer { return answer }
            }
        }
    }

    /// The code of a problem in a refusal of the assertion; the content of a stream is read for it and put in its place.
    private func refusal(_ response: inout HTTPResponse) async throws -> String? {
        let limit = 65_536
        guard response.status == .unauthorized || response.status == .conflict else { return nil }
        if let stream = response.stream {
            if let length = response.fields[.contentLength].flatMap({ Int($0) }), length > limit {
                return nil
            }
            let start = try await ReadAhead(stream, limit: limit)
            guard let content = start.whole else {
                // Longer than any problem: who asked for a stream gets all of it.
                response.stream = HTTPByteStream(start)
                return nil
            }
            response.body = content
            response.trailers = stream.trailers
            response.stream = nil
        }
        guard response.body.count <= limit else { return nil }
        return (try? JSONValue(parsing: response.body))?.object?["code"]?.string
    }
}

internal import AppAttestation
internal import Encodings
public import HTTPMessages

/// The backend's two endpoints, by HTTP.
///
/// `POST {base}/{prefix}/attest-init` with an empty object of JSON is answered by 200 and
/// `{"sessionId": "…", "nonce": "…"}`; `POST {base}/{prefix}/attest` with `{"sessionId": "…", "keyId": "…",
/// "attestation": "…"}`, the last two in Base 64, by 204, or by 200 with nothing or an object of JSON. Errors are objects
/// with a member `code`. A status 4xx but 408, 425 and 429 with one of ``refusalCodes`` is for good. Anything else may pass,
/// and so does what somebody in between says, such as a load balancer's 403 or the page of a service that is being rolled
/// out: no key is given up for that, nor for `notAdmitted`, after which the same key may be admitted later. Two codes are acted on: `keyAlreadyBound` says that an earlier answer was lost and the
/// key is kept, and `invalidNonce` that the session is over: the same key is shown with another.
public struct HTTPAttestationBackend: AttestationBackend {
    /// The codes with which the backend refuses a key for good; by default those of this library's `AttestationEndpoints`.
    public var refusalCodes = standardRefusalCodes

    /// What `AttestationEndpoints` refuses a key with.
    public static let standardRefusalCodes = Set(
        [
            "malformedRequest", "contentTooLarge", "wrongSession", "invalidAttestation", "keyAlreadyBound",
        ] + AttestationError.Code.refusals.map(\.description)
    )

    /// The two targets.
    public var endpoints: [RequestTarget] { [initial, final] }

    private let session: any HTTPSession
    private let initial: RequestTarget
    private let final: RequestTarget
    private let timeout: Duration

    private static let maximumAnswer = 65_536

    /// Makes a backend.
    ///
    /// - Parameters:
    ///   - baseURL: What stands before the prefix: `https`, or `http` to this machine only, without a query.
    ///   - pathPrefix: `installations` for the providers of this library, `apple` for App Attest.
    ///   - session: What sends the requests; best one without the interceptors of the app's own requests, but with what the
    ///     backend admits keys by.
    ///   - timeout: How long each exchange may take.
    /// - Throws: ``AttestationClientError`` with code `invalidConfiguration` or `insecureTarget`.
    public init(
        baseURL: String,
        pathPrefix: String = "installations",
        session: any HTTPSession,
        timeout: Duration = .seconds(30)
    ) throws(AttestationClientError) {
        let base = baseURL.utf8.last == UInt8(ascii: "/") ? String(baseURL.dropLast()) : baseURL
        let isPlain =
            !pathPrefix.isEmpty && !base.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        do throws(HTTPMessageError) {
            initial = try RequestTarget("\(base)/\(pathPrefix)/attest-init")
            final = try RequestTarget("\(base)/\(pathPrefix)/attest")
        } catch {
            throw AttestationClientError(
                .invalidConfiguration,
                "the address of the backend is not a URL",
                underlying: error
            )
        }
        guard isPlain, initial.query == nil, initial.path.hasSuffix("/\(pathPrefix)/attest-init") else {
            throw AttestationClientError(.invalidConfiguration, "the address of the backend has a query")
        }
        guard initial.isSecure || initial.isLoopback else {
            throw AttestationClientError(.insecureTarget, "the backend would be reached over plain http")
        }
        self.session = session
        self.timeout = timeout
    }

    /// Asks for a challenge.
    ///
    /// - Throws: ``AttestationClientError`` with code `refused`, `unavailable` or `invalidResponse`;
    ///   `CancellationError`.
    public func fetchChallenge() async throws -> AttestationChallenge {
        let response = try await send(JSONObject(), to: initial)
        guard response.status == .ok, let object = Self.object(in: response),
            let sessionID = object["sessionId"]?.string, let nonce = object["nonce"]?.string,
            !sessionID.isEmpty, !nonce.isEmpty
        else {
            throw AttestationClientError(.invalidResponse, "the backend's answer has no challenge")
        }
        return AttestationChallenge(sessionID: sessionID, nonce: nonce)
    }

    /// Shows an attestation.
    ///
    /// - Throws: As ``fetchChallenge()``.
    public func submit(_ submission: AttestationSubmission) async throws {
        var object = JSONObject()
        object["sessionId"] = .string(submission.sessionID)
        object["keyId"] = .string(submission.keyID)
        object["attestation"] = .string(Base64.standard.encode(submission.attestation))
        let response = try await send(object, to: final, accepting: "keyAlreadyBound")
        let isKept =
            response.status == .noContent
            || response.status == .ok && (response.body.isEmpty || Self.object(in: response) != nil)
        guard isKept || !response.status.isSuccess else {
            throw AttestationClientError(.invalidResponse, "the backend did not say that it keeps the key")
        }
    }

    /// Sends a request and judges the answer's status; a refusal of the code that is accepted comes back as it is.
    private func send(
        _ object: JSONObject,
        to target: RequestTarget,
        accepting accepted: String? = nil
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(method: .post, target: target, body: HTTPBody(object.serialized()))
        try request.fields.set("application/json", for: .contentType)
        request.options.timeout = timeout
        request.options.maximumResponseSize = Self.maximumAnswer
        let response: HTTPResponse
        do { response = try await session.data(for: request) } catch is CancellationError {
            throw CancellationError()
        } catch let error as AttestationClientError {
            throw error
        } catch {
            throw AttestationClientError(.unavailable, "the backend cannot be reached", underlying: error)
        }
        if response.status.isSuccess { return response }
        let status = response.status.code
        let code = Self.object(in: response)?["code"]?.string
        guard (400...499).contains(status), ![408, 425, 429].contains(status), let code,
            refusalCodes.contains(code) || code.utf8.elementsEqual("invalidNonce".utf8)
        else {
            throw AttestationClientError(
                .unavailable,
                "the backend answered with status \(status)\(Self.shown(code))",
                retryAfter: Self.retryAfter(in: response)
            )
        }
        if let accepted, code.utf8.elementsEqual(accepted.utf8) { return response }
        if code.utf8.elementsEqual("invalidNonce".utf8) {
            throw AttestationClientError(.unavailable, "the backend does not know the session any more")
        }
        throw AttestationClientError(.refused, "the backend refused with status \(status)\(Self.shown(code))")
    }

    private static func object(in response: HTTPResponse) -> JSONObject? {
        guard response.body.count <= maximumAnswer else { return nil }
        return (try? JSONValue(parsing: response.body))?.object
    }

    /// The code of a problem, if it is one word that can do no harm in a log.
    private static func shown(_ code: String?) -> String {
        guard let code, (1...64).contains(code.utf8.count), code.utf8.allSatisfy(isLetter) else { return "" }
        return ", code \(code)"
    }

    private static func isLetter(_ octet: UInt8) -> Bool { (0x61...0x7A).contains(octet | 0x20) }

    /// The seconds that a server asks for (RFC 9110, section 10.2.3); a date is not read, and asks for nothing.
    private static func retryAfter(in response: HTTPResponse) -> Duration? {
        let values = response.fields[values: .retryAfter]
        guard values.count == 1, let value = values.first, value.utf8.count <= 9,
            value.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(value).map { .seconds($0) }
    }
}

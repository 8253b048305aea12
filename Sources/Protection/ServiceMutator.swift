public import HTTPMessages

/// The app's own policy: a hook at every decision that the service takes.
///
/// Each hook has a default, so a mutator overrides only what it decides itself and falls back on
/// ``DefaultServiceMutator`` for the rest. Hooks take values and return values; they may be synchronous. A hook that
/// throws stops the request, which is not sent, and its error reaches the caller as it is.
///
/// Hooks run on the path of every request, in this order: ``shouldProcess(_:)``,
/// ``interceptorFetchTokenResult(_:for:)``, ``headerSubstitutionResult(_:for:)`` and
/// ``queryParameterSubstitutionResult(_:for:)`` for each placeholder, ``processedRequest(_:mutations:)``,
/// ``messageSigningFailed(_:for:)`` where a ``MessageSigningMutator`` cannot sign, ``shouldPin(_:)``. The first four below
/// answer direct calls of the service.
///
/// ```swift
/// struct EnforceToken: ServiceMutator {
///     func interceptorFetchTokenResult(_ result: FetchResult, for url: RequestTarget) async throws -> TokenDecision {
///         if result.status == .noAttestationService {
///             throw ProtectionError(.networking, "no token from the authority; try again")
///         }
///         return try await DefaultServiceMutator().interceptorFetchTokenResult(result, for: url)
///     }
/// }
/// ```
///
/// To compose two, hold one in the other and call it from the hook.
public protocol ServiceMutator: Sendable {
    /// Judges the result of ``ProtectionService/precheck()``.
    ///
    /// - Throws: When the precheck has failed.
    func precheckResult(_ result: FetchResult) async throws

    /// Judges the result of ``ProtectionService/fetchToken(for:)``.
    ///
    /// - Throws: When there is no token to return.
    func fetchTokenResult(_ result: FetchResult, for url: RequestTarget) async throws

    /// Judges the result of ``ProtectionService/fetchSecureString(_:newDefinition:)``.
    ///
    /// - Throws: When the call has failed; an unknown key is not a failure by default.
    func fetchSecureStringResult(_ result: FetchResult, for key: String) async throws

    /// Judges the result of ``ProtectionService/fetchCustomJWT(payload:)``.
    ///
    /// - Throws: When there is no JWT to return.
    func fetchCustomJWTResult(_ result: FetchResult) async throws

    /// Decides whether the service handles a request at all.
    ///
    /// - Throws: When the request must not be sent.
    func shouldProcess(_ request: HTTPRequest) async throws -> ProcessingDecision

    /// Decides what becomes of a request, by how the fetch of its token went.
    ///
    /// - Throws: When the request must not be sent.
    func interceptorFetchTokenResult(
        _ result: FetchResult,
        for url: RequestTarget
    ) async throws -> TokenDecision

    /// Decides what becomes of a placeholder in a header field.
    ///
    /// - Throws: When the request must not be sent.
    func headerSubstitutionResult(
        _ result: FetchResult,
        for header: HTTPField.Name
    ) async throws -> SubstitutionDecision

    /// Decides what becomes of a placeholder in the query.
    ///
    /// - Throws: When the request must not be sent.
    func queryParameterSubstitutionResult(
        _ result: FetchResult,
        for parameter: String
    ) async throws -> SubstitutionDecision

    /// Changes a request that is ready: adds fields, signs it.
    ///
    /// - Returns: The request to send.
    /// - Throws: When the request must not be sent.
    func processedRequest(_ request: HTTPRequest, mutations: RequestMutations) async throws -> HTTPRequest

    /// Decides what becomes of a request that a ``MessageSigningMutator`` around this mutator cannot sign.
    ///
    /// It is not asked about a stream that cannot be read to be signed: there is no content to send then, so the request is
    /// stopped.
    ///
    /// - Parameters:
    ///   - error: A ``ProtectionError``, with the error of the signature or of the key under it.
    ///   - request: The request without its signature, as it would be sent: a stream that was digested is in memory.
    /// - Returns: Whether the request is stopped or sent without a signature.
    /// - Throws: When the request must not be sent.
    func messageSigningFailed(
        _ error: any Error,
        for request: HTTPRequest
    ) async throws -> SigningFailureDecision

    /// Decides whether the pins of the host hold for a request, of requests that the service ignores too, and without a
    /// configuration.
    ///
    /// - Throws: When the request must not be sent.
    func shouldPin(_ request: HTTPRequest) async throws -> PinningDecision
}

extension ServiceMutator {
    /// Judges as ``DefaultServiceMutator`` does.
    ///
    /// - Throws: ``ProtectionError`` when the result is neither `success` nor `unknownKey`: with code
    ///   `networking` for `noNetwork`, `poorNetwork` and `mitmDetected`, `rejection` for `rejected`, `permanent` for any other.
    public func precheckResult(_ result: FetchResult) async throws {
        try DefaultDecisions.precheckResult(result)
    }

    /// Judges as ``DefaultServiceMutator`` does.
    ///
    /// - Throws: ``ProtectionError`` when the result is not `success`: with code
    ///   `networking` for `noNetwork`, `poorNetwork` and `mitmDetected`, `rejection` for `rejected`, `permanent` for any other.
    public func fetchTokenResult(_ result: FetchResult, for url: RequestTarget) async throws {
        try DefaultDecisions.fetchTokenResult(result, for: url)
    }

    /// Judges as ``DefaultServiceMutator`` does.
    ///
    /// - Throws: ``ProtectionError`` when the result is neither `success` nor `unknownKey`: with code
    ///   `networking` for `noNetwork`, `poorNetwork` and `mitmDetected`, `rejection` for `rejected`, `permanent` for any other.
    public func fetchSecureStringResult(_ result: FetchResult, for key: String) async throws {
        try DefaultDecisions.fetchSecureStringResult(result, for: key)
    }

    /// Judges as ``DefaultServiceMutator`` does.
    ///
    /// - Throws: ``ProtectionError`` when the result is not `success`: with code
    ///   `networking` for `noNetwork`, `poorNetwork` and `mitmDetected`, `rejection` for `rejected`, `permanent` for any other.
    public func fetchCustomJWTResult(_ result: FetchResult) async throws {
        try DefaultDecisions.fetchCustomJWTResult(result)
    }

    /// Decides as ``DefaultServiceMutator`` does.
    ///
    /// - Returns: `process`.
    /// - Throws: ``ProtectionError`` with code `permanent` for a request in clear to another machine.
    public func shouldProcess(_ request: HTTPRequest) async throws -> ProcessingDecision {
        try DefaultDecisions.shouldProcess(request)
    }

    /// Decides as ``DefaultServiceMutator`` does.
    ///
    /// - Throws: ``ProtectionError`` unless the result is `success`, `noAttestationService`, `unknownURL` or `unprotectedURL`:
    ///   with code `networking` for `noNetwork`, `poorNetwork` and `mitmDetected`, `rejection` for `rejected`, `permanent` for
    ///   any other.
    public func interceptorFetchTokenResult(
        _ result: FetchResult,
        for url: RequestTarget
    ) async throws -> TokenDecision {
        try DefaultDecisions.interceptorFetchTokenResult(result, for: url)
    }

    /// Decides as ``DefaultServiceMutator`` does.
    ///
    /// - Throws: ``ProtectionError`` when the result is neither `success` nor `unknownKey`: with code
    ///   `networking` for `noNetwork`, `poorNetwork` and `mitmDetected`, `rejection` for `rejected`, `permanent` for any other.
    public func headerSubstitutionResult(
        _ result: FetchResult,
        for header: HTTPField.Name
    ) async throws -> SubstitutionDecision {
        try DefaultDecisions.headerSubstitutionResult(result, for: header)
    }

    /// Decides as ``DefaultServiceMutator`` does.
    ///
    /// - Throws: ``ProtectionError`` when the result is neither `success` nor `unknownKey`: with code
    ///   `networking` for `noNetwork`, `poorNetwork` and `mitmDetected`, `rejection` for `rejected`, `permanent` for any other.
    public func queryParameterSubstitutionResult(
        _ result: FetchResult,
        for parameter: String
    ) async throws -> SubstitutionDecision {
        try DefaultDecisions.queryParameterSubstitutionResult(result, for: parameter)
    }

    /// Changes nothing.
    public func processedRequest(
        _ request: HTTPRequest,
        mutations: RequestMutations
    ) async throws -> HTTPRequest {
        request
    }

    /// Stops the request.
    public func messageSigningFailed(
        _ error: any Error,
        for request: HTTPRequest
    ) async throws -> SigningFailureDecision { .stop }

    /// Lets the pins hold, unless the request itself is exempted by its `options.isPinned`.
    public func shouldPin(_ request: HTTPRequest) async throws -> PinningDecision {
        request.options.isPinned ? .pin : .skip
    }
}

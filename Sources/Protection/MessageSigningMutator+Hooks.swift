public import HTTPMessages

/// Every other hook is the wrapped mutator's.
extension MessageSigningMutator {
    /// Asks the wrapped mutator.
    ///
    /// - Throws: What the wrapped mutator throws.
    public func precheckResult(_ result: FetchResult) async throws {
        try await wrapped.precheckResult(result)
    }

    /// Asks the wrapped mutator.
    ///
    /// - Throws: What the wrapped mutator throws.
    public func fetchTokenResult(_ result: FetchResult, for url: RequestTarget) async throws {
        try await wrapped.fetchTokenResult(result, for: url)
    }

    /// Asks the wrapped mutator.
    ///
    /// - Throws: What the wrapped mutator throws.
    public func fetchSecureStringResult(_ result: FetchResult, for key: String) async throws {
        try await wrapped.fetchSecureStringResult(result, for: key)
    }

    /// Asks the wrapped mutator.
    ///
    /// - Throws: What the wrapped mutator throws.
    public func fetchCustomJWTResult(_ result: FetchResult) async throws {
        try await wrapped.fetchCustomJWTResult(result)
    }

    /// Asks the wrapped mutator.
    ///
    /// - Throws: What the wrapped mutator throws.
    public func shouldProcess(_ request: HTTPRequest) async throws -> ProcessingDecision {
        try await wrapped.shouldProcess(request)
    }

    /// Asks the wrapped mutator.
    ///
    /// - Throws: What the wrapped mutator throws.
    public func interceptorFetchTokenResult(
        _ result: FetchResult,
        for url: RequestTarget
    ) async throws -> TokenDecision {
        try await wrapped.interceptorFetchTokenResult(result, for: url)
    }

    /// Asks the wrapped mutator.
    ///
    /// - Throws: What the wrapped mutator throws.
    public func headerSubstitutionResult(
        _ result: FetchResult,
        for header: HTTPField.Name
    ) async throws -> SubstitutionDecision {
        try await wrapped.headerSubstitutionResult(result, for: header)
    }

    /// Asks the wrapped mutator.
    ///
    /// - Throws: What the wrapped mutator throws.
    public func queryParameterSubstitutionResult(
        _ result: FetchResult,
        for parameter: String
    ) async throws -> SubstitutionDecision {
        try await wrapped.queryParameterSubstitutionResult(result, for: parameter)
    }

    /// Asks the wrapped mutator.
    ///
    /// - Throws: What the wrapped mutator throws.
    public func shouldPin(_ request: HTTPRequest) async throws -> PinningDecision {
        try await wrapped.shouldPin(request)
    }

    /// Asks the wrapped mutator, as a signing mutator around this one does.
    ///
    /// - Throws: What the wrapped mutator throws.
    public func messageSigningFailed(
        _ error: any Error,
        for request: HTTPRequest
    ) async throws -> SigningFailureDecision {
        try await wrapped.messageSigningFailed(error, for: request)
    }
}

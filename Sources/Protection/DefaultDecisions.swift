import HTTPMessages

/// The decisions behind ``DefaultServiceMutator``, which every hook of ``ServiceMutator`` falls back on.
enum DefaultDecisions {
    /// Throws unless the installation passed; an unknown key says that the service answered, which is enough.
    static func precheckResult(_ result: FetchResult) throws {
        guard result.status != .unknownKey else { return }
        try requireSuccess(result, "precheck")
    }

    /// Throws unless there is a token.
    static func fetchTokenResult(_ result: FetchResult, for url: RequestTarget) throws {
        try requireSuccess(result, "fetchToken for \(url)")
    }

    /// Throws unless the call was carried out; an unknown key is an answer.
    static func fetchSecureStringResult(_ result: FetchResult, for key: String) throws {
        guard result.status != .unknownKey else { return }
        try requireSuccess(result, "fetchSecureString for \(key)")
    }

    /// Throws unless there is a JWT.
    static func fetchCustomJWTResult(_ result: FetchResult) throws {
        try requireSuccess(result, "fetchCustomJWT")
    }

    /// Has every request processed, and stops those that would carry a token in clear to another machine.
    static func shouldProcess(_ request: HTTPRequest) throws -> ProcessingDecision {
        guard request.target.isSecure || request.target.isLoopback else {
            throw ProtectionError(.permanent, "a protected request to \(request.target) needs https")
        }
        return .process
    }

    /// Attaches a token, goes without one where the host needs none or the authority gives none, and stops the rest.
    static func interceptorFetchTokenResult(
        _ result: FetchResult,
        for url: RequestTarget
    ) throws -> TokenDecision {
        switch result.status {
        case .success: return .attachToken
        case .noAttestationService, .unknownURL, .unprotectedURL: return .proceedWithoutToken
        default: throw error(for: result, "token fetch for \(url)")
        }
    }

    /// Substitutes a secret, leaves a placeholder that has none, and stops the rest.
    static func headerSubstitutionResult(
        _ result: FetchResult,
        for header: HTTPField.Name
    ) throws -> SubstitutionDecision {
        try substitution(result, "header substitution for \(header)")
    }

    /// Substitutes a secret, leaves a placeholder that has none, and stops the rest.
    static func queryParameterSubstitutionResult(
        _ result: FetchResult,
        for parameter: String
    ) throws -> SubstitutionDecision {
        try substitution(result, "query parameter substitution for \(parameter)")
    }

    private static func substitution(
        _ result: FetchResult,
        _ operation: String
    ) throws -> SubstitutionDecision {
        switch result.status {
        case .success: return .substitute
        case .unknownKey: return .leaveUnchanged
        default: throw error(for: result, operation)
        }
    }

    private static func requireSuccess(_ result: FetchResult, _ operation: String) throws {
        guard result.status == .success else { throw error(for: result, operation) }
    }

    private static func error(for result: FetchResult, _ operation: String) -> ProtectionError {
        let detail = result.detail.map { ": \($0)" } ?? ""
        let message = "\(operation): \(result.status.rawValue)\(detail)"
        switch result.status {
        case .noNetwork, .poorNetwork, .mitmDetected: return ProtectionError(.networking, message)
        case .rejected:
            return ProtectionError(
                .rejection,
                message,
                arc: result.arc,
                rejectionReasons: result.rejectionReasons
            )
        default: return ProtectionError(.permanent, message)
        }
    }
}

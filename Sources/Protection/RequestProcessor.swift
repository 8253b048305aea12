import Cryptography
import HTTPMessages

/// One request's way through the service, on one snapshot of its state.
///
/// The request is a value: whatever throws on the way leaves the caller's own, so none is sent half made.
struct RequestProcessor {
    let state: ProtectionService.State
    let service: ProtectionService

    func update(_ original: HTTPRequest, sessionFields: HTTPFields) async -> RequestUpdate {
        var request = original.adding(sessionFields)
        var mutations = RequestMutations(originalTarget: request.target)
        do {
            guard state.engine != nil else {
                // Pins that the app has set itself need no configuration.
                try await pin(&request)
                return ignored(request, state.isInitialized ? "empty config" : "not initialized")
            }
            let reason = try await reasonToIgnore(request)
            if reason == nil {
                try await attachToken(to: &request, &mutations)
                if mutations.hasToken {
                    try await substituteHeaders(in: &request, &mutations)
                    try await substituteQuery(in: &request, &mutations)
                }
                request = try await state.mutator.processedRequest(request, mutations: mutations)
            }
            try await pin(&request)
            if let reason { return ignored(request, reason) }
            state.logger.log(.debug, "request", [("target", "\(request)"), ("decision", "proceed")])
            return RequestUpdate(
                request: request,
                decision: .proceed,
                error: nil,
                mutations: mutations,
                reason: nil
            )
        } catch {
            return stopped(original, by: error)
        }
    }

    private func pin(_ request: inout HTTPRequest) async throws {
        request.options.isPinned = try await state.mutator.shouldPin(request) == .pin
        request.options.pins = request.options.pins ?? state.pins
    }

    private func ignored(_ request: HTTPRequest, _ reason: String) -> RequestUpdate {
        state.logger.log(
            .debug,
            "request",
            [("target", "\(request)"), ("decision", "ignore"), ("reason", reason)]
        )
        return RequestUpdate(
            request: request,
            decision: .ignore,
            error: nil,
            mutations: RequestMutations(originalTarget: request.target),
            reason: reason
        )
    }

    private func stopped(_ request: HTTPRequest, by error: any Error) -> RequestUpdate {
        let isRetryable = (error as? any RetryableError)?.isRetryable == true
        let decision: RequestUpdate.Decision = isRetryable ? .retry : .fail
        // An error of the app's own may say anything; only its type is safe to log.
        let message = (error as? ProtectionError)?.description ?? "\(type(of: error))"
        state.logger.log(
            .info,
            "request",
            [("target", "\(request)"), ("decision", "\(decision)"), ("error", message)]
        )
        return RequestUpdate(
            request: request,
            decision: decision,
            error: error,
            mutations: RequestMutations(originalTarget: request.target),
            reason: message
        )
    }

    private func reasonToIgnore(_ request: HTTPRequest) async throws -> String? {
        if state.settings.exclusions.contains(where: { $0.matches(request.target.absoluteString) }) {
            return "excluded by pattern"
        }
        return try await state.mutator.shouldProcess(request) == .ignore ? "excluded by mutator" : nil
    }

    private func attachToken(to request: inout HTTPRequest, _ mutations: inout RequestMutations) async throws
    {
        let settings = state.settings
        let bound = request.fields.bindingValue(of: settings.bindingHeaders)
        let dataHash = try bound.map { try HashAlgorithm.sha256.hash($0) } ?? settings.dataHash
        let result = try await state.fetchToken(
            TokenRequest(url: request.target, dataHash: dataHash),
            service
        )
        state.logger.log(.debug, "token", [("target", "\(request)"), ("status", result.status.rawValue)])
        let decision = try await state.mutator.interceptorFetchTokenResult(result, for: request.target)
        guard decision == .attachToken else { return }
        let status = settings.usesStatusIfNoToken ? result.status.rawValue : ""
        let text = result.token.isEmpty ? status : result.token
        guard !text.isEmpty else { return }
        let header = settings.tokenHeader
        request.fields.set(try field(header.name, header.prefix + text, "token"))
        mutations.tokenHeader = header.name
        mutations.tokenPrefix = header.prefix
        mutations.hasToken = result.status == .success && !result.token.isEmpty
        if let name = settings.traceIDHeader, let traceID = result.traceID {
            request.fields.set(try field(name, traceID, "trace identifier"))
            mutations.traceIDHeader = name
        }
    }

    private func substituteHeaders(
        in request: inout HTTPRequest,
        _ mutations: inout RequestMutations
    ) async throws {
        for header in state.settings.substitutionHeaders {
            guard let value = request.fields[header.name], value.hasPrefix(header.prefix) else { continue }
            let result = try await secret(String(value.dropFirst(header.prefix.count)))
            let decision = try await state.mutator.headerSubstitutionResult(result, for: header.name)
            guard decision == .substitute else { continue }
            let secret = try require(result, "header substitution for \(header.name)")
            request.fields.set(try field(header.name, header.prefix + secret, "secret"))
            mutations.substitutedHeaders.append(header.name)
        }
    }

    private func substituteQuery(
        in request: inout HTTPRequest,
        _ mutations: inout RequestMutations
    ) async throws {
        guard !state.settings.substitutionQueryParameters.isEmpty, let text = request.target.query else {
            return
        }
        var query = QueryText(text)
        for name in state.settings.substitutionQueryParameters {
            for index in query.indices(of: name) {
                let result = try await secret(query.value(at: index))
                let decision = try await state.mutator.queryParameterSubstitutionResult(result, for: name)
                guard decision == .substitute else { continue }
                query.setValue(try require(result, "query parameter substitution for \(name)"), at: index)
                if !mutations.substitutedQueryParameters.contains(name) {
                    mutations.substitutedQueryParameters.append(name)
                }
            }
        }
        guard !mutations.substitutedQueryParameters.isEmpty else { return }
        request.target = try request.target.replacingQuery(query.text)
    }

    private func secret(_ key: String) async throws -> FetchResult {
        guard let engine = state.engine else { return FetchResult(status: .notInitialized) }
        return try await service.secureString(key, nil, from: engine)
    }

    private func require(_ result: FetchResult, _ operation: String) throws -> String {
        guard let secret = result.secureString else {
            throw ProtectionError(.permanent, "\(operation): \(result.status.rawValue) without a secret")
        }
        return secret
    }

    private func field(_ name: HTTPField.Name, _ value: String, _ what: String) throws -> HTTPField {
        do {
            return try HTTPField(name, value)
        } catch {
            throw ProtectionError(
                .permanent,
                "the \(what) for \(name) cannot stand in a field",
                underlying: error
            )
        }
    }
}

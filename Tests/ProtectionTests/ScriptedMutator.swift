import Encodings
import HTTPMessages
import Protection

/// A mutator whose single hooks are scripted by a case of the public data; the others are the default.
struct ScriptedMutator: ServiceMutator {
    let script: JSONObject

    private func throwIfScripted(_ hook: String) throws {
        switch script[hook]?.object?["throw"]?.string {
        case "networking": throw ProtectionError(.networking, "scripted")
        case "permanent": throw ProtectionError(.permanent, "scripted")
        default: break
        }
    }

    func shouldProcess(_ request: HTTPRequest) async throws -> ProcessingDecision {
        try throwIfScripted("should_process")
        return script["should_process"]?.bool == false ? .ignore : .process
    }

    func interceptorFetchTokenResult(
        _ result: FetchResult,
        for url: RequestTarget
    ) async throws -> TokenDecision {
        if script["fetch_token_result"]?.string == "attachToken" { return .attachToken }
        return try await DefaultServiceMutator().interceptorFetchTokenResult(result, for: url)
    }

    func headerSubstitutionResult(
        _ result: FetchResult,
        for header: HTTPField.Name
    ) async throws -> SubstitutionDecision {
        try throwIfScripted("header_substitution")
        return try await DefaultServiceMutator().headerSubstitutionResult(result, for: header)
    }

    func queryParameterSubstitutionResult(
        _ result: FetchResult,
        for parameter: String
    ) async throws -> SubstitutionDecision {
        try throwIfScripted("query_substitution")
        return try await DefaultServiceMutator().queryParameterSubstitutionResult(result, for: parameter)
    }

    func processedRequest(_ request: HTTPRequest, mutations: RequestMutations) async throws -> HTTPRequest {
        try throwIfScripted("processed_request")
        guard let header = script["processed_request"]?.object?["add_header"]?.array,
            let name = header.first?.string, let value = header.last?.string
        else { return request }
        var request = request
        try request.fields.append(value, for: HTTPField.Name(name))
        return request
    }
}

public import HTTPMessages

extension APIService {
    /// Sends GET and decodes the response.
    ///
    /// - Parameters:
    ///   - endpoint: Where the call goes.
    ///   - parameters: A flat value whose members are added to the query.
    ///   - headers: Headers of this call.
    /// - Returns: The value in the response.
    /// - Throws: ``APIError``.
    public func get<Output: Decodable, Parameters: Encodable & Sendable>(
        _ endpoint: APIEndpoint,
        parameters: Parameters? = Never?.none,
        headers: [String: String] = [:]
    ) async throws(APIError) -> Output {
        var request = APIRequest(.get, endpoint, headers: headers)
        request.setParameters(parameters)
        return try await value(for: request)
    }

    /// Sends HEAD and returns the response, which has no content.
    ///
    /// - Throws: ``APIError``.
    public func head<Parameters: Encodable & Sendable>(
        _ endpoint: APIEndpoint,
        parameters: Parameters? = Never?.none,
        headers: [String: String] = [:]
    ) async throws(APIError) -> HTTPResponse {
        var request = APIRequest(.head, endpoint, headers: headers)
        request.setParameters(parameters)
        return try await perform(request).response
    }

    /// Sends DELETE and decodes the response; parameters are added to the query.
    ///
    /// - Throws: ``APIError``.
    public func delete<Output: Decodable, Parameters: Encodable & Sendable>(
        _ endpoint: APIEndpoint,
        parameters: Parameters? = Never?.none,
        headers: [String: String] = [:]
    ) async throws(APIError) -> Output {
        var request = APIRequest(.delete, endpoint, headers: headers)
        request.setParameters(parameters)
        return try await value(for: request)
    }

    /// Sends POST with the parameters as JSON and decodes the response.
    ///
    /// - Parameters:
    ///   - endpoint: Where the call goes.
    ///   - parameters: The value that is sent; nil sends no content.
    ///   - headers: Headers of this call.
    ///   - idempotencyKey: The key that makes retries safe.
    /// - Returns: The value in the response.
    /// - Throws: ``APIError``.
    public func post<Output: Decodable, Parameters: Encodable & Sendable>(
        _ endpoint: APIEndpoint,
        parameters: Parameters? = Never?.none,
        headers: [String: String] = [:],
        idempotencyKey: IdempotencyKey? = nil
    ) async throws(APIError) -> Output {
        try await post(
            endpoint,
            body: parameters.map { .json($0) },
            headers: headers,
            idempotencyKey: idempotencyKey
        )
    }

    /// Sends POST with any content and decodes the response.
    ///
    /// - Throws: ``APIError``.
    public func post<Output: Decodable>(
        _ endpoint: APIEndpoint,
        body: APIBody?,
        headers: [String: String] = [:],
        idempotencyKey: IdempotencyKey? = nil
    ) async throws(APIError) -> Output {
        try await value(
            for: APIRequest(.post, endpoint, headers: headers, body: body, idempotencyKey: idempotencyKey)
        )
    }

    /// Sends PUT with the parameters as JSON and decodes the response.
    ///
    /// - Throws: ``APIError``.
    public func put<Output: Decodable, Parameters: Encodable & Sendable>(
        _ endpoint: APIEndpoint,
        parameters: Parameters? = Never?.none,
        headers: [String: String] = [:]
    ) async throws(APIError) -> Output {
        try await put(endpoint, body: parameters.map { .json($0) }, headers: headers)
    }

    /// Sends PUT with any content and decodes the response.
    ///
    /// - Throws: ``APIError``.
    public func put<Output: Decodable>(
        _ endpoint: APIEndpoint,
        body: APIBody?,
        headers: [String: String] = [:]
    ) async throws(APIError) -> Output {
        try await value(for: APIRequest(.put, endpoint, headers: headers, body: body))
    }

    /// Sends PATCH with the parameters as JSON and decodes the response.
    ///
    /// - Throws: ``APIError``.
    public func patch<Output: Decodable, Parameters: Encodable & Sendable>(
        _ endpoint: APIEndpoint,
        parameters: Parameters? = Never?.none,
        headers: [String: String] = [:],
        idempotencyKey: IdempotencyKey? = nil
    ) async throws(APIError) -> Output {
        try await patch(
            endpoint,
            body: parameters.map { .json($0) },
            headers: headers,
            idempotencyKey: idempotencyKey
        )
    }

    /// Sends PATCH with any content and decodes the response.
    ///
    /// - Throws: ``APIError``.
    public func patch<Output: Decodable>(
        _ endpoint: APIEndpoint,
        body: APIBody?,
        headers: [String: String] = [:],
        idempotencyKey: IdempotencyKey? = nil
    ) async throws(APIError) -> Output {
        try await value(
            for: APIRequest(.patch, endpoint, headers: headers, body: body, idempotencyKey: idempotencyKey)
        )
    }
}

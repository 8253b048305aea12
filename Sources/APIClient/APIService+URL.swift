public import FoundationEssentials
public import HTTPMessages

/// The methods for whoever holds a `URL`.
extension APIService {
    /// Sends GET to a URL and decodes the response.
    ///
    /// - Throws: ``APIError``.
    public func get<Output: Decodable>(
        _ url: URL,
        headers: [String: String] = [:]
    ) async throws(APIError) -> Output {
        try await get(APIEndpoint(url), headers: headers)
    }

    /// Sends HEAD to a URL and returns the response.
    ///
    /// - Throws: ``APIError``.
    public func head(_ url: URL, headers: [String: String] = [:]) async throws(APIError) -> HTTPResponse {
        try await head(APIEndpoint(url), headers: headers)
    }

    /// Sends DELETE to a URL and decodes the response.
    ///
    /// - Throws: ``APIError``.
    public func delete<Output: Decodable>(
        _ url: URL,
        headers: [String: String] = [:]
    ) async throws(APIError) -> Output {
        try await delete(APIEndpoint(url), headers: headers)
    }

    /// Sends POST to a URL, with the parameters as JSON, and decodes the response.
    ///
    /// - Throws: ``APIError``.
    public func post<Output: Decodable, Parameters: Encodable & Sendable>(
        _ url: URL,
        parameters: Parameters? = Never?.none,
        headers: [String: String] = [:]
    ) async throws(APIError) -> Output {
        try await post(APIEndpoint(url), parameters: parameters, headers: headers)
    }

    /// Sends PUT to a URL, with the parameters as JSON, and decodes the response.
    ///
    /// - Throws: ``APIError``.
    public func put<Output: Decodable, Parameters: Encodable & Sendable>(
        _ url: URL,
        parameters: Parameters? = Never?.none,
        headers: [String: String] = [:]
    ) async throws(APIError) -> Output {
        try await put(APIEndpoint(url), parameters: parameters, headers: headers)
    }

    /// Sends PATCH to a URL, with the parameters as JSON, and decodes the response.
    ///
    /// - Throws: ``APIError``.
    public func patch<Output: Decodable, Parameters: Encodable & Sendable>(
        _ url: URL,
        parameters: Parameters? = Never?.none,
        headers: [String: String] = [:]
    ) async throws(APIError) -> Output {
        try await patch(APIEndpoint(url), parameters: parameters, headers: headers)
    }
}

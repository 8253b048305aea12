public import Foundation
#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif
public import HTTPMessages
public import Protection

/// A protected session with the calls and the types of `URLSession`.
///
/// An app that has `URLRequest` values throughout changes only where it makes its session. Requests are sent by the
/// package's own transport, so none of them goes through `URLSession`. What `HTTPURLResponse` cannot hold, trailer fields,
/// several lines of one name, and what the exchange cost, ``response(for:options:)`` gives.
public struct FoundationSession: Sendable {
    let session: ProtectedSession

    /// Makes the calls available on a protected session.
    public init(_ session: ProtectedSession) {
        self.session = session
    }

    /// Protects a request, sends it and waits for the whole response.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: How to send it, from pins to progress; a time of inactivity that they leave open is the request's
    ///     `timeoutInterval`.
    /// - Returns: The content, and the head of the response.
    /// - Throws: ``FoundationConversionError`` for a request that cannot be carried over, else as `ProtectedSession`.
    public func data(
        for request: URLRequest,
        options: HTTPRequestOptions = HTTPRequestOptions()
    ) async throws -> (Data, HTTPURLResponse) {
        let response = try await response(for: request, options: options)
        return (Data(response.body), try HTTPURLResponse.make(response, url: request.url))
    }

    /// Sends a protected GET request to a URL and waits for the whole response.
    ///
    /// - Throws: As ``data(for:options:)``.
    public func data(
        from url: URL,
        options: HTTPRequestOptions = HTTPRequestOptions()
    ) async throws -> (Data, HTTPURLResponse) {
        try await data(for: URLRequest(url: url), options: options)
    }

    /// Sends a protected request with this content in place of its own and waits for the whole response.
    ///
    /// - Throws: As ``data(for:options:)``.
    public func upload(
        for request: URLRequest,
        from body: Data,
        options: HTTPRequestOptions = HTTPRequestOptions()
    ) async throws -> (Data, HTTPURLResponse) {
        var request = request
        request.httpBodyStream = nil
        request.httpBody = body
        return try await data(for: request, options: options)
    }

    /// Protects a request, sends it and waits for the whole response, in the package's own type.
    ///
    /// - Throws: As ``data(for:options:)``.
    public func response(
        for request: URLRequest,
        options: HTTPRequestOptions = HTTPRequestOptions()
    ) async throws -> HTTPResponse {
        try await session.data(for: try HTTPRequest(request).with(options))
    }
}

extension HTTPRequest {
    /// The same request with other options, in which its own time of inactivity stands where they leave it open.
    func with(_ options: HTTPRequestOptions) -> HTTPRequest {
        var request = self
        request.options = options
        request.options.idleTimeout = options.idleTimeout ?? self.options.idleTimeout
        return request
    }
}

public import Foundation
#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif
import HTTPMessages
public import Protection

/// A protected session with the calls and the types of `URLSession`.
///
/// An app that has `URLRequest` values throughout changes only where it makes its session. Requests are sent by the
/// package's own transport, so none of them goes through `URLSession`.
public struct FoundationSession: Sendable {
    let session: ProtectedSession

    /// Makes the calls available on a protected session.
    public init(_ session: ProtectedSession) {
        self.session = session
    }

    /// Protects a request, sends it and waits for the whole response.
    ///
    /// - Throws: ``FoundationConversionError`` for a request that cannot be carried over, else as `ProtectedSession`.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let converted = try HTTPRequest(request)
        let response = try await session.data(for: converted)
        return (Data(response.body), try HTTPURLResponse.make(response, url: request.url))
    }

    /// Sends a protected GET request to a URL and waits for the whole response.
    ///
    /// - Throws: As ``data(for:)``.
    public func data(from url: URL) async throws -> (Data, HTTPURLResponse) {
        try await data(for: URLRequest(url: url))
    }

    /// Sends a protected request with this content in place of its own and waits for the whole response.
    ///
    /// - Throws: As ``data(for:)``.
    public func upload(for request: URLRequest, from body: Data) async throws -> (Data, HTTPURLResponse) {
        var request = request
        request.httpBodyStream = nil
        request.httpBody = body
        return try await data(for: request)
    }
}

public import Foundation
#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif
public import HTTPMessages
import HTTPTransport
import Protection

extension FoundationSession {
    /// Protects a request, sends it and returns with the head of the response; the content is read as it comes in.
    ///
    /// A slow reader slows the server down, and letting go of the content ends the exchange. `URLSession` gives single
    /// octets here; these are pieces of content, as they come.
    ///
    /// - Returns: The content, and the head of the response.
    /// - Throws: As ``data(for:)``, up to the head of the response.
    public func bytes(for request: URLRequest) async throws -> (HTTPByteStream, HTTPURLResponse) {
        let (response, content) = try await session.bytes(for: try HTTPRequest(request))
        return (content, try HTTPURLResponse.make(response, url: request.url))
    }

    /// Sends a protected request with the content of a file in place of its own and waits for the whole response.
    ///
    /// - Throws: As ``data(for:)``.
    public func upload(for request: URLRequest, fromFile file: URL) async throws -> (Data, HTTPURLResponse) {
        let path = file.path
        return try await upload(request) { $0.body = HTTPBody(file: path) }
    }

    /// Sends a protected request with content that is made while it is sent, and waits for the whole response.
    ///
    /// - Throws: As ``data(for:)``, or what the sequence throws.
    public func upload<Pieces: AsyncSequence & Sendable>(
        for request: URLRequest,
        from pieces: Pieces
    ) async throws -> (Data, HTTPURLResponse) where Pieces.Element == Data {
        let stream = HTTPBodyStream(pieces.map { [UInt8]($0) })
        return try await upload(request) { $0.body = HTTPBody(stream) }
    }

    /// Sends a protected request and writes the content of the response into a file, which has its name only when it is
    /// whole.
    ///
    /// Unlike `URLSession`, the file goes where the caller says; nothing is left in a temporary folder.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - file: Where the file is to be.
    ///   - resumes: Whether what an exchange that failed has left is kept, and only the rest is asked for the next time.
    /// - Returns: The head of the response; with a status outside of 200 to 299 there is no file.
    /// - Throws: As ``data(for:)``, or `TransportError` with code `fileFailed`.
    public func download(
        for request: URLRequest,
        to file: URL,
        resumes: Bool = false
    ) async throws -> HTTPURLResponse {
        let response = try await session.download(
            for: try HTTPRequest(request),
            to: file.path,
            resumes: resumes
        )
        return try HTTPURLResponse.make(response, url: request.url)
    }

    private func upload(
        _ request: URLRequest,
        _ setBody: (inout HTTPRequest) -> Void
    ) async throws -> (Data, HTTPURLResponse) {
        var bodiless = request
        bodiless.httpBodyStream = nil
        bodiless.httpBody = nil
        var converted = try HTTPRequest(bodiless)
        setBody(&converted)
        let response = try await session.data(for: converted)
        return (Data(response.body), try HTTPURLResponse.make(response, url: request.url))
    }
}

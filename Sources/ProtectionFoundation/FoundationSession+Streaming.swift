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
    /// - Throws: As ``data(for:options:)``, up to the head of the response.
    public func bytes(
        for request: URLRequest,
        options: HTTPRequestOptions = HTTPRequestOptions()
    ) async throws -> (HTTPByteStream, HTTPURLResponse) {
        let (response, content) = try await session.bytes(for: try HTTPRequest(request).with(options))
        return (content, try HTTPURLResponse.make(response, url: request.url))
    }

    /// Sends a protected GET request to a URL and returns with the head of the response.
    ///
    /// - Throws: As ``bytes(for:options:)``.
    public func bytes(
        from url: URL,
        options: HTTPRequestOptions = HTTPRequestOptions()
    ) async throws -> (HTTPByteStream, HTTPURLResponse) {
        try await bytes(for: URLRequest(url: url), options: options)
    }

    /// Sends a protected request with the content of a file in place of its own and waits for the whole response.
    ///
    /// - Throws: As ``data(for:options:)``.
    public func upload(
        for request: URLRequest,
        fromFile file: URL,
        options: HTTPRequestOptions = HTTPRequestOptions()
    ) async throws -> (Data, HTTPURLResponse) {
        try await upload(request, HTTPBody(file: file.path), options)
    }

    /// Sends a protected request with content that is made while it is sent, and waits for the whole response.
    ///
    /// - Throws: As ``data(for:options:)``, or what the sequence throws.
    public func upload<Pieces: AsyncSequence & Sendable>(
        for request: URLRequest,
        from pieces: Pieces,
        options: HTTPRequestOptions = HTTPRequestOptions()
    ) async throws -> (Data, HTTPURLResponse) where Pieces.Element == Data {
        try await upload(request, HTTPBody(HTTPBodyStream(pieces.map { [UInt8]($0) })), options)
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
    ///   - options: How to send the request.
    /// - Returns: The head of the response; with a status outside of 200 to 299 there is no file.
    /// - Throws: As ``data(for:options:)``, or `TransportError` with code `fileFailed`.
    public func download(
        for request: URLRequest,
        to file: URL,
        resumes: Bool = false,
        options: HTTPRequestOptions = HTTPRequestOptions()
    ) async throws -> HTTPURLResponse {
        let response = try await session.download(
            for: try HTTPRequest(request).with(options),
            to: file.path,
            resumes: resumes
        )
        return try HTTPURLResponse.make(response, url: request.url)
    }

    /// Sends a protected GET request to a URL and writes the content of the response into a file.
    ///
    /// - Throws: As ``download(for:to:resumes:options:)``.
    public func download(
        from url: URL,
        to file: URL,
        resumes: Bool = false,
        options: HTTPRequestOptions = HTTPRequestOptions()
    ) async throws -> HTTPURLResponse {
        try await download(for: URLRequest(url: url), to: file, resumes: resumes, options: options)
    }

    private func upload(
        _ request: URLRequest,
        _ body: HTTPBody,
        _ options: HTTPRequestOptions
    ) async throws -> (Data, HTTPURLResponse) {
        var bodiless = request
        bodiless.httpBodyStream = nil
        bodiless.httpBody = nil
        var converted = try HTTPRequest(bodiless).with(options)
        converted.body = body
        let response = try await session.data(for: converted)
        return (Data(response.body), try HTTPURLResponse.make(response, url: request.url))
    }
}

extension HTTPSession {
    /// Sends a request and returns with the head of the response; the content is read as it comes in.
    ///
    /// A session that cannot stream gives the whole content as one piece.
    ///
    /// - Returns: The response without its content, and the content.
    /// - Throws: As ``data(for:)``, up to the head of the response.
    public func bytes(
        for request: HTTPRequest
    ) async throws -> (response: HTTPResponse, content: HTTPByteStream) {
        var request = request
        request.options.streamsResponse = true
        var response = try await data(for: request)
        let whole = response.body
        let content = response.stream ?? HTTPByteStream(WholeContent(whole, trailers: response.trailers))
        response.body = []
        response.stream = nil
        return (response, content)
    }

    /// Sends a request with the content of a file, and waits for the whole response.
    ///
    /// - Throws: As ``data(for:)``.
    public func upload(for request: HTTPRequest, fromFile path: String) async throws -> HTTPResponse {
        var request = request
        request.body = HTTPBody(file: path)
        return try await data(for: request)
    }

    /// Sends a request with content that is made while it is sent, and waits for the whole response.
    ///
    /// - Throws: As ``data(for:)``, or what the sequence throws.
    public func upload(for request: HTTPRequest, from stream: HTTPBodyStream) async throws -> HTTPResponse {
        var request = request
        request.body = HTTPBody(stream)
        return try await data(for: request)
    }
}

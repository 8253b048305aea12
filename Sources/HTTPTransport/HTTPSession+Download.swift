public import HTTPMessages

extension HTTPSession {
    /// Sends a request and writes the content of the response into a file, which has its name only when it is whole.
    ///
    /// A file that is there stays until then. The content is written as it comes in, so memory stays small whatever its
    /// size; `options.maximumResponseSize` of the request, or `maximumStreamSize` of a ``CurlSession``, is its limit.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - path: Where the file is to be.
    ///   - resumes: Whether what an exchange that failed has left is kept, beside the file with `.part` after its name, and
    ///     a GET request asks for the rest only (RFC 9110, section 14). It is taken up only for the same URL, and when the
    ///     server says by the same strong entity tag that the content is the same.
    /// - Returns: The response without its content. With another status than one of 200 to 299 nothing is written, and the
    ///   first 64 KiB of the content are in the response.
    /// - Throws: As ``data(for:)``, or `TransportError` with code `fileFailed`, also while another download that resumes
    ///   writes the same file, or `malformedResponse` for a range that was not asked for.
    public func download(
        for request: HTTPRequest,
        to path: String,
        resumes: Bool = false
    ) async throws -> HTTPResponse {
        let isResumable = resumes && request.method == .get && !request.fields.contains("Range")
        let file = try PartialFile(path, isKept: isResumable)
        var request = request
        request.options.progress?.begin()
        defer { request.options.progress?.end() }
        let size = isResumable ? try file.size() : 0
        // A field of the caller's own asks for something else.
        var validator: String?
        if isResumable {
            // A range is one of the content as it is coded, so no coding is asked for.
            if !request.fields.contains("Accept-Encoding") {
                try request.fields.set("identity", for: "Accept-Encoding")
            }
            if size > 0, let kept = file.validator(of: request.target) {
                try request.fields.set("bytes=\(size)-", for: "Range")
                try request.fields.set(kept, for: "If-Range")
                validator = kept
            }
        }
        var (response, content) = try await bytes(for: request)
        if let kept = validator, !Self.isUsable(response, as: kept) {
            // What is left is not a part of what the server has now.
            try file.truncate()
            try file.setValidator(nil, of: request.target)
            request.fields.removeAll("Range")
            request.fields.removeAll("If-Range")
            validator = nil
            (response, content) = try await bytes(for: request)
        }
        guard (200...299).contains(response.status.code) else {
            response.body = try await Self.start(of: content)
            return response
        }
        var total: Int?
        if response.status.code == 206, validator != nil {
            guard let range = response.fields["Content-Range"].flatMap(ContentRange.init),
                range.first == size, range.last == range.total - 1
            else {
                throw TransportError(.malformedResponse, "the server sends another range than was asked for")
            }
            if let limit = request.options.maximumResponseSize, range.total > limit {
                throw TransportError(.responseTooLarge, "the whole content is larger than \(limit) octets")
            }
            total = range.total
        } else if response.status.code == 206, !request.fields.contains("Range") {
            throw TransportError(.malformedResponse, "the server sends a range that was not asked for")
        } else {
            try file.truncate()
            let tag = response.fields["ETag"].flatMap { $0.hasPrefix("\"") ? $0 : nil }
            try file.setValidator(tag, of: request.target)
        }
        for try await piece in content { try file.append(piece) }
        if let total, try file.size() != total {
            throw TransportError(.malformedResponse, "the range has another length than the server told")
        }
        response.trailers = content.trailers
        response.metrics = content.metrics ?? response.metrics
        try file.finish()
        return response
    }

    /// Whether the answer to a request for the rest is the rest, or does without what is there.
    ///
    /// A range of the same content has its tag (RFC 9110, section 15.3.7). Servers and caches that overlook `If-Range` send one
    /// of other content.
    private static func isUsable(_ response: HTTPResponse, as validator: String) -> Bool {
        switch response.status.code {
        case 206: response.fields["ETag"] == validator
        case 416: false
        default: true
        }
    }

    private static func start(of content: HTTPByteStream) async throws -> [UInt8] {
        let limit = 64 << 10
        var body: [UInt8] = []
        for try await piece in content {
            body += piece.prefix(limit - body.count)
            if body.count == limit { break }
        }
        return body
    }
}

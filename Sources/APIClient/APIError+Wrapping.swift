import HTTPMessages
import HTTPTransport
import Protection

extension APIError {
    /// The error for what a session or an interceptor threw.
    static func wrapping(_ error: any Error) -> APIError {
        switch error {
        case let error as APIError: return error
        case is CancellationError: return APIError(.cancelled, "the task was cancelled", underlying: error)
        case let error as TransportError where error.code == .pinningFailed:
            return APIError(
                .pinning,
                "the keys of the server are not the pinned ones",
                pinning: error.pinning,
                underlying: error
            )
        case let error as ProtectionError:
            return APIError(.protection, "the request may not be sent: \(error.code)", underlying: error)
        default: return APIError(.transport, "there is no complete response", underlying: error)
        }
    }

    /// The error for a response whose status is not valid.
    static func status(of response: HTTPResponse, _ configuration: API.Configuration) -> APIError {
        let limit = max(0, configuration.errorBodyLimit)
        let status = Status(
            code: response.status.code,
            fields: response.fields,
            body: Array(response.body.prefix(limit)),
            isTruncated: response.body.count > limit,
            problem: ProblemDetails(response),
            decodedBody: configuration.errorType.flatMap { decode($0, response, configuration.coders) }
        )
        return APIError(.status, "the status of the response is not valid", status: status)
    }

    private static func decode<Body: Decodable & Sendable>(
        _ type: Body.Type,
        _ response: HTTPResponse,
        _ coders: JSONCoders
    ) -> (any Sendable)? {
        try? ResponseDecoder.decode(type, from: response, with: coders)
    }
}

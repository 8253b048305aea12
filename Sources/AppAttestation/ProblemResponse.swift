package import Encodings
package import HTTPMessages

/// Answers of backends, in the forms that the clients of this library read.
package enum ProblemResponse {
    /// An answer of RFC 9457: the kind of problem is told by the member `code`, so `type` is `about:blank`.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - code: The stable name of what was wrong.
    ///   - detail: One sentence that is the same for every request with this code.
    /// - Returns: The answer, which no cache may keep.
    package static func problem(_ status: HTTPStatus, code: String, detail: String) -> HTTPResponse {
        var object = JSONObject()
        object["type"] = "about:blank"
        object["title"] = .string(title(of: status))
        object["status"] = .integer(Int64(status.code))
        object["detail"] = .string(detail)
        object["code"] = .string(code)
        var response = json(object, status, HTTPField(.contentType, literal: "application/problem+json"))
        // RFC 9110, section 11.6.1: a 401 names a scheme.
        if status == .unauthorized {
            response.fields.append(HTTPField(.wwwAuthenticate, literal: "Assertion"))
        }
        return response
    }

    /// An answer with an object, which no cache may keep.
    package static func object(_ object: JSONObject) -> HTTPResponse {
        json(object, .ok, HTTPField(.contentType, literal: "application/json"))
    }

    private static func json(_ object: JSONObject, _ status: HTTPStatus, _ type: HTTPField) -> HTTPResponse {
        let fields = HTTPFields([type, HTTPField("Cache-Control", literal: "no-store")])
        return HTTPResponse(status: status, fields: fields, body: object.serialized())
    }

    /// The reason phrases of RFC 9110, which RFC 9457 asks for beside `about:blank`.
    private static func title(of status: HTTPStatus) -> String {
        switch status {
        case .badRequest: "Bad Request"
        case .unauthorized: "Unauthorized"
        case .forbidden: "Forbidden"
        case .methodNotAllowed: "Method Not Allowed"
        case .conflict: "Conflict"
        case .contentTooLarge: "Content Too Large"
        case .unsupportedMediaType: "Unsupported Media Type"
        case .serviceUnavailable: "Service Unavailable"
        default: "Error"
        }
    }
}

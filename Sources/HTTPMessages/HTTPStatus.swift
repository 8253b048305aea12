/// The status code of a response (RFC 9110, section 15).
public struct HTTPStatus: Sendable, Hashable, CustomStringConvertible {
    /// The three-digit code.
    public let code: Int

    private init(known code: Int) {
        self.code = code
    }

    /// Makes a status from its code.
    ///
    /// - Throws: ``HTTPMessageError`` with code `invalidStatus` when the code is outside 100...999.
    public init(_ code: Int) throws(HTTPMessageError) {
        guard (100...999).contains(code) else {
            throw HTTPMessageError(.invalidStatus, "a status is a number of three digits")
        }
        self.code = code
    }

    /// The three digits.
    public var description: String { String(code) }

    /// Whether the code is one of 200...299.
    public var isSuccess: Bool { (200...299).contains(code) }

    /// 200.
    public static let ok = HTTPStatus(known: 200)
    /// 201.
    public static let created = HTTPStatus(known: 201)
    /// 204.
    public static let noContent = HTTPStatus(known: 204)
    /// 400.
    public static let badRequest = HTTPStatus(known: 400)
    /// 401.
    public static let unauthorized = HTTPStatus(known: 401)
    /// 403.
    public static let forbidden = HTTPStatus(known: 403)
    /// 404.
    public static let notFound = HTTPStatus(known: 404)
    /// 405.
    public static let methodNotAllowed = HTTPStatus(known: 405)
    /// 408.
    public static let requestTimeout = HTTPStatus(known: 408)
    /// 409.
    public static let conflict = HTTPStatus(known: 409)
    /// 413.
    public static let contentTooLarge = HTTPStatus(known: 413)
    /// 415.
    public static let unsupportedMediaType = HTTPStatus(known: 415)
    /// 500.
    public static let internalServerError = HTTPStatus(known: 500)
    /// 503.
    public static let serviceUnavailable = HTTPStatus(known: 503)
}

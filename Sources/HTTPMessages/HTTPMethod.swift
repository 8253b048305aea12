/// A request method (RFC 9110, section 9); methods differ by case.
public struct HTTPMethod: Sendable, Hashable, CustomStringConvertible {
    /// The token that goes on the wire.
    public let rawValue: String

    private init(known rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a method from its token, as written.
    ///
    /// - Throws: ``HTTPMessageError`` with code `invalidMethod` when the text is not a token.
    public init(_ rawValue: String) throws(HTTPMessageError) {
        if let offset = Token.fault(in: rawValue) {
            throw HTTPMessageError(.invalidMethod, "the method is not a token", at: offset)
        }
        self.rawValue = rawValue
    }

    /// The token.
    public var description: String { rawValue }

    /// Retrieves a representation.
    public static let get = HTTPMethod(known: "GET")
    /// Retrieves the fields of a representation, without its content.
    public static let head = HTTPMethod(known: "HEAD")
    /// Processes the content that the request encloses.
    public static let post = HTTPMethod(known: "POST")
    /// Replaces a representation.
    public static let put = HTTPMethod(known: "PUT")
    /// Changes a part of a representation (RFC 5789).
    public static let patch = HTTPMethod(known: "PATCH")
    /// Removes a representation.
    public static let delete = HTTPMethod(known: "DELETE")
    /// Describes what the target can do.
    public static let options = HTTPMethod(known: "OPTIONS")
    /// Returns the request as it was received.
    public static let trace = HTTPMethod(known: "TRACE")

    /// Whether the method is safe (RFC 9110, section 9.2.1).
    public var isSafe: Bool { [.get, .head, .options, .trace].contains(self) }

    /// Whether sending it twice has the effect of sending it once (RFC 9110, section 9.2.2).
    public var isIdempotent: Bool { isSafe || [.put, .delete].contains(self) }
}

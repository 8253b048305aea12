/// A response with its whole content in memory.
public struct HTTPResponse: Sendable, Hashable, CustomStringConvertible {
    /// How the request went.
    public var status: HTTPStatus
    /// The header fields, in the order and spelling of the wire.
    public var fields: HTTPFields
    /// The content.
    public var body: [UInt8]

    /// Makes a response.
    public init(status: HTTPStatus, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The content as text, or nil when it is not valid UTF-8.
    public var text: String? { String(validating: body, as: UTF8.self) }

    /// Status and length; fields and content are not shown.
    public var description: String { "\(status), \(body.count) octets" }
}

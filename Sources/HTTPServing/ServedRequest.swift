public import HTTPMessages

/// A request that a server received, whole and checked.
///
/// Nothing is decoded or normalised: the target, the fields and the content are the octets of the wire.
public struct ServedRequest: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// What the client asks for.
    public let method: HTTPMethod
    /// The target exactly as the first line of the request gave it: `@request-target` of a signature.
    public let rawTarget: String
    /// The absolute URL: the server's scheme, the `Host` field, and the path and query as received.
    public let target: RequestTarget
    /// The header fields in the order and spelling of the wire; trailer fields are not among them.
    public let fields: HTTPFields
    /// The content; empty when there was none.
    public let body: [UInt8]
    /// The client's IP address, without its port.
    public let remoteAddress: String

    /// The same as a request of the client's side, as signatures are verified over; it has a body when octets came.
    public var request: HTTPRequest {
        HTTPRequest(
            method: method,
            target: target,
            fields: fields,
            body: body.isEmpty ? nil : HTTPBody(body)
        )
    }

    /// Method, host and path; the query and the fields may hold secrets and are not shown.
    public var description: String { "\(method) \(target)" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

public import Encodings
import HTTPMessages

/// What a server says of a problem, in the form of RFC 9457.
///
/// All of it comes from the server, so nothing here is fit to be acted on without a thought, or shown as it is.
public struct ProblemDetails: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// A URI reference that names the kind of problem; `about:blank` when the status says all.
    public let type: String
    /// A short summary of the kind of problem, for people.
    public let title: String?
    /// The status that the origin server gave.
    public let status: Int?
    /// What went wrong this time, for people.
    public let detail: String?
    /// A URI reference that names this occurrence.
    public let instance: String?
    /// The members that the kind of problem adds.
    public let extensions: JSONObject

    /// Reads a content of `application/problem+json`.
    ///
    /// A member with a value of another kind than RFC 9457 says is left out (section 3.1).
    ///
    /// - Returns: The details; nil when the content is not JSON, read strictly, or not an object.
    public init?(parsing octets: [UInt8]) {
        guard var object = (try? JSONValue(parsing: octets))?.object else { return nil }
        func take(_ name: String) -> JSONValue? {
            defer { object[name] = nil }
            return object[name]
        }
        type = take("type")?.string ?? "about:blank"
        title = take("title")?.string
        status = take("status")?.integer.flatMap { (100...599).contains($0) ? Int($0) : nil }
        detail = take("detail")?.string
        instance = take("instance")?.string
        extensions = object
    }

    /// The status; what the server wrote is not shown.
    public var description: String { "problem details\(status.map { ", status \($0)" } ?? "")" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Reads the content of a response that says it is one.
    init?(_ response: HTTPResponse) {
        guard let type = response.fields[.contentType], MediaType.isProblem(type) else { return nil }
        self.init(parsing: response.body)
    }
}

public import FoundationEssentials
import HTTPMessages

/// Where a call goes: a path below the base URL of an API, or a whole URL.
///
/// A literal is checked, not repaired. A value that is put into one is encoded as one component, with all but unreserved
/// characters (RFC 3986, section 2.3) escaped, so it cannot add a slash or a query:
///
/// ```swift
/// let shape: Shape = try await api.get("/shapes/\(name)")
/// ```
public struct APIEndpoint: Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible,
    CustomReflectable
{
    enum Form: Sendable, Hashable {
        /// A path or a URL, to be checked against the base.
        case text(String)
        /// A target that was checked before.
        case target(RequestTarget)
        /// What cannot be a path, and why.
        case invalid(String)
    }

    let form: Form

    init(target: RequestTarget) {
        form = .target(target)
    }

    /// Takes a literal.
    public init(stringLiteral path: String) {
        form = .text(path)
    }

    /// Takes a literal with values in it, each encoded as one component.
    public init(stringInterpolation: StringInterpolation) {
        form = stringInterpolation.fault.map { .invalid($0) } ?? .text(stringInterpolation.text)
    }

    /// Takes a path or a URL as it is, with its query, to be checked when it is used.
    public init(path: String) {
        form = .text(path)
    }

    /// Makes a path of components, each of which is encoded.
    public init(components: [String]) {
        form =
            components.contains("")
            ? .invalid("a component of the path is empty")
            : .text("/" + components.map(PercentEncoding.component).joined(separator: "/"))
    }

    /// Takes a URL.
    public init(_ url: URL) {
        form = .text(url.absoluteString)
    }

    /// The path without its query, which may hold a secret.
    public var description: String {
        switch form {
        case .text(let text): String(text.prefix { $0 != "?" })
        case .target(let target): target.description
        case .invalid: "an invalid path"
        }
    }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// A literal under construction.
    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ""
        var fault: String?

        /// Starts a literal.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity)
        }

        /// Adds a part of the literal, as it is.
        public mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        /// Adds a value, encoded as one component.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            let component = String(describing: value)
            if component.isEmpty, !text.utf8.contains(UInt8(ascii: "?")) {
                fault = "a value in the path is empty"
            }
            text += PercentEncoding.component(component)
        }
    }
}

public import HTTPMessages

/// What ``LoggingInterceptor`` shows; a query and a content are never shown.
public struct LoggingOptions: Sendable {
    /// How much of a path is shown.
    public struct Path: Sendable {
        let text: @Sendable (String) -> String?

        /// Nothing: paths of many services hold names of users and keys.
        public static let hidden = Path { _ in nil }
        /// The whole path.
        public static let whole = Path { $0 }

        /// The first segments, and `...` for the rest.
        public static func segments(_ count: Int) -> Path {
            Path { path in
                let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
                let shown = segments.prefix(max(0, count)).map { "/\($0)" }.joined()
                return segments.count > max(0, count) ? shown + "/..." : shown
            }
        }

        /// What a closure makes of the path, for example the template of its route; nil shows nothing.
        public static func custom(_ text: @escaping @Sendable (String) -> String?) -> Path {
            Path(text: text)
        }

        private init(text: @escaping @Sendable (String) -> String?) { self.text = text }
    }

    /// How much of a path is shown.
    public var path: Path = .hidden
    /// The fields whose values are shown; of all others the name alone is.
    ///
    /// Fields that hold credentials, such as `Authorization`, `Cookie` and `Set-Cookie`, and those that hold URLs with
    /// their queries, such as `Location`, are not shown even when they are listed.
    public var shownFields: Set<HTTPField.Name> = [
        .contentType, .contentLength, .date, .retryAfter, "Content-Encoding", "Server", "Age", "Allow",
    ]
    /// What is shown of an error; by default its type, because a foreign error's text may hold anything.
    public var errorText: @Sendable (any Error) -> String = { String(describing: type(of: $0)) }

    /// Makes the default options: no path, a few values, the types of errors.
    public init() {}

    private static let neverShown: Set<HTTPField.Name> = [
        .authorization, .cookie, .setCookie, .location, "Proxy-Authorization", "Authentication-Info",
        "Proxy-Authentication-Info", "Signature", "Signature-Input", "Content-Location", "Referer", "Link",
        "Refresh",
    ]

    func shows(_ name: HTTPField.Name) -> Bool {
        shownFields.contains(name) && !Self.neverShown.contains(name)
    }
}

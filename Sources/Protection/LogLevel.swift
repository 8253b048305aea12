/// How much the service logs.
public enum LogLevel: Int, Sendable, Hashable, Comparable, CaseIterable, CustomStringConvertible {
    /// Nothing.
    case off
    /// What stops a request or leaves the service unusable.
    case error
    /// What an operator should look into.
    case warning
    /// Initialization, token fetches and requests that were stopped: the default.
    case info
    /// Every decision of every request.
    case debug

    /// Whether one level logs less than another.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }

    /// The name of the level.
    public var description: String {
        switch self {
        case .off: "off"
        case .error: "error"
        case .warning: "warning"
        case .info: "info"
        case .debug: "debug"
        }
    }
}

internal import FoundationEssentials

/// The variables that AWS's tools share; an empty one counts as absent, as it does for them.
public struct AWSEnvironment: Sendable, CustomStringConvertible, CustomReflectable {
    private let variables: [String: String]

    /// Keeps variables, by name.
    public init(_ variables: [String: String]) {
        self.variables = variables
    }

    /// The variables of this process, as they are now.
    public static var process: AWSEnvironment { AWSEnvironment(ProcessInfo.processInfo.environment) }

    /// The value of a variable, or nil when it is absent or empty.
    public subscript(name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The region that is set for this process, or nil.
    public var region: String? { self["AWS_REGION"] ?? self["AWS_DEFAULT_REGION"] }

    /// The number of variables; their values are secrets.
    public var description: String { "AWSEnvironment(\(variables.count) variables)" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// A path in which `~/` stands for the home directory.
    func expanded(_ path: String) -> String {
        guard path.hasPrefix("~/"), let home = self["HOME"] else { return path }
        return home + path.dropFirst()
    }
}

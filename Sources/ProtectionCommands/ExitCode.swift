/// How a command ended, as the number that the process ends with.
public enum ExitCode: Int32, Sendable, Hashable {
    /// It did what was asked.
    case ok = 0
    /// What it was given is refused or invalid.
    case refused = 1
    /// The command line cannot be understood.
    case usage = 2
    /// A file, the network or the machine gave trouble.
    case trouble = 3
}

/// Ends a command whose output has said already what was wrong.
struct EarlyEnd: Error {
    let exit: ExitCode
}

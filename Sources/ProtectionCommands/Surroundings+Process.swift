import Glibc

extension Surroundings {
    /// What this process has: its environment, its three streams, its clocks and the network.
    public static func process() -> Surroundings {
        Surroundings(
            environment: variables(),
            readInput: { limit throws(ToolError) in
                try FileDescriptor.read(STDIN_FILENO, limit: limit, name: "standard input")
            },
            writeOutput: { bytes throws(ToolError) in
                try FileDescriptor.write(bytes, to: STDOUT_FILENO, name: "standard output")
            },
            // When standard error is closed, there is nobody left to tell.
            writeErrors: { try? FileDescriptor.write($0, to: STDERR_FILENO, name: "standard error") },
            isOutputTerminal: isatty(STDOUT_FILENO) == 1,
            isErrorsTerminal: isatty(STDERR_FILENO) == 1
        )
    }

    /// Called once, before there are other threads that could change the environment.
    private static func variables() -> [String: String] {
        var variables: [String: String] = [:]
        var next = unsafe environ
        while let entry = unsafe next.pointee {
            let text = unsafe String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            unsafe next += 1
        }
        return variables
    }
}

import Protection

/// Writes each decision of the service to standard error, one line each.
struct ConsoleLogSink: LogSink {
    let console: Console

    func write(_ entry: LogEntry) { console.note("* \(entry)") }
}

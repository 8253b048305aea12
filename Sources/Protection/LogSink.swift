/// Where log entries go.
public protocol LogSink: Sendable {
    /// Writes an entry; called from any task, on the path of requests.
    func write(_ entry: LogEntry)
}

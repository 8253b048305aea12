import Glibc

/// Writes each entry to standard error, one line an event.
public struct StandardErrorLogSink: LogSink {
    /// Makes the sink.
    public init() {}

    /// Writes the line with one call, so that lines of different tasks do not mix; a failed write is not reported.
    public func write(_ entry: LogEntry) {
        let line = Array("protection \(entry)\n".utf8)
        _ = unsafe line.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

public import Protection
import Locking

/// A log sink that keeps what is written, for a test to read.
public final class RecordingLogSink: LogSink {
    private let state = Mutex<[LogEntry]>([])

    /// Makes an empty sink.
    public init() {}

    /// What was written, in order.
    public var entries: [LogEntry] { state.withLock { $0 } }

    /// What was written, a line each.
    public var lines: [String] { entries.map(\.description) }

    /// Keeps an entry.
    public func write(_ entry: LogEntry) {
        state.withLock { $0.append(entry) }
    }
}

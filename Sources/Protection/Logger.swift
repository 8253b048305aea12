/// Hands entries to the sink when the level asks for them; the attributes are not even built otherwise.
struct Logger: Sendable {
    var level: LogLevel
    var sink: any LogSink

    func log(
        _ level: LogLevel,
        _ event: String,
        _ attributes: @autoclosure () -> [(key: String, value: String)] = []
    ) {
        guard level <= self.level, level != .off else { return }
        sink.write(LogEntry(level: level, event: event, attributes: attributes()))
    }
}

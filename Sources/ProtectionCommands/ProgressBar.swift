import HTTPMessages
import Locking

/// Draws on a terminal's standard error how far each exchange that passes has come.
final class ProgressBar: HTTPInterceptor {
    private static let width = 40

    private let console: Console
    private let drawings = Mutex<[(progress: HTTPProgress, task: Task<Void, Never>)]>([])

    init(console: Console) {
        self.console = console
    }

    func intercept(
        _ request: HTTPRequest,
        next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let progress = HTTPProgress()
        let task = Task { [console] in await Self.draw(progress, on: console) }
        drawings.withLock { $0.append((progress, task)) }
        var request = request
        request.options.progress = progress
        return try await next(request)
    }

    /// Waits until the last line is drawn, so that nothing else is written into it.
    func finish() async {
        let drawings = drawings.withLock { $0 }
        for drawing in drawings {
            drawing.progress.end()
            await drawing.task.value
        }
    }

    private static func draw(_ progress: HTTPProgress, on console: Console) async {
        var shown = ""
        for await state in progress.states where state.received > 0 {
            let text = text(state)
            guard text != shown else { continue }
            shown = text
            console.draw("\r\(text)\u{1B}[K")
        }
        if !shown.isEmpty { console.draw("\n") }
    }

    /// One line without its end, shorter than a terminal is wide.
    static func text(_ state: HTTPProgress.State) -> String {
        guard let expected = state.expected, expected > 0 else { return size(state.received) }
        // In floating point, so that no size overflows.
        let part = min(Double(state.received) / Double(expected), 1)
        let filled = Int(part * Double(width))
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
        return "[\(bar)] \(Int(part * 100))% \(size(state.received)) of \(size(expected))"
    }

    private static func size(_ octets: Int) -> String {
        let units = ["kB", "MB", "GB", "TB"]
        guard octets >= 1_000 else { return "\(octets) B" }
        var tenths = octets / 100
        var unit = 0
        while tenths >= 10_000, unit < units.count - 1 {
            tenths /= 1_000
            unit += 1
        }
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}

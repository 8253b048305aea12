import Glibc
import Locking

/// What the demo shows, and whether all of it came out as it should.
final class Transcript: Sendable {
    private struct State {
        var text = ""
        var steps = 0
        var checks = 0
        var failures = 0
    }

    private let state = Mutex(State())

    func title(_ text: String) {
        write(text)
    }

    func step(_ text: String) {
        let number = state.withLock { state in
            state.steps += 1
            return state.steps
        }
        write("\n\(number). \(text)")
    }

    func note(_ text: String) {
        write("   \(text)")
    }

    /// Shows what was expected, and remembers when it did not come true.
    func check(_ isTrue: Bool, _ text: String) {
        state.withLock { state in
            state.checks += 1
            state.failures += isTrue ? 0 : 1
        }
        write("   \(isTrue ? "✓" : "✗ NOT SO:") \(text)")
    }

    func contains(_ text: String) -> Bool {
        state.withLock { $0.text.contains(text) }
    }

    /// Ends the program: with 0 when every check came true.
    func end() -> Never {
        let (checks, failures) = state.withLock { ($0.checks, $0.failures) }
        write("\n\(checks - failures) of \(checks) checks came true.")
        exit(failures == 0 ? 0 : 1)
    }

    private func write(_ line: String) {
        state.withLock { $0.text += line + "\n" }
        print(line)
    }
}

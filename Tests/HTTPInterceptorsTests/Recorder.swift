import Locking

/// Keeps what several tasks give it, in order.
final class Recorder<Value: Sendable>: Sendable {
    private let kept = Mutex<[Value]>([])

    var values: [Value] { kept.withLock { $0 } }

    func record(_ value: Value) {
        kept.withLock { $0.append(value) }
    }

    func removeAll() {
        kept.withLock { $0 = [] }
    }
}

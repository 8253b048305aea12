import Foundation
import HTTPMessages
import HTTPTransport
import Synchronization

/// Cancels requests at random moments and shows what is left of them.
///
/// Not a benchmark: it looks for transfers, connections and memory that outlive a request. Under AddressSanitizer it also
/// looks for leaks.
enum CancellationStress {
    private static let lanes = 64

    /// The memory and the descriptors of this process.
    private struct Usage {
        let kilobytes: Int
        let descriptors: Int

        init() {
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            kilobytes = line.flatMap { Int($0.split(separator: " ").dropLast().last ?? "") } ?? 0
            descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
        }
    }

    private static let cancelled = Atomic(0)
    private static let answered = Atomic(0)

    static func run(_ count: Int, server: ServerAddress) async throws {
        let session = try CurlSession(configuration: .init(trustRoots: .file(server.caPath)))
        // What is made once is there before the first look.
        try await send(1_000, over: session, to: server)
        let before = Usage()
        let start = ContinuousClock.now
        try await send(count, over: session, to: server)
        let duration = ContinuousClock.now - start
        let response = try await session.data(from: server.plain)
        guard response.status == .ok else { throw BenchmarkError("the session does not work any more") }
        session.close()
        let after = Usage()
        show(
            """
            \(count) requests in \(duration.inSeconds.formatted(.number.precision(.fractionLength(1)))) s: \
            \(cancelled.load(ordering: .relaxed)) cancelled, \(answered.load(ordering: .relaxed)) answered
            memory \(before.kilobytes) KiB before, \(after.kilobytes) KiB after
            descriptors \(before.descriptors) before, \(after.descriptors) after, with the session closed
            """
        )
    }

    private static func send(_ count: Int, over session: CurlSession, to server: ServerAddress) async throws {
        cancelled.store(0, ordering: .relaxed)
        answered.store(0, ordering: .relaxed)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                let share = count / lanes + (lane < count % lanes ? 1 : 0)
                group.addTask { for number in 0..<share { try await sendOne(number, session, server) } }
            }
            try await group.waitForAll()
        }
    }

    /// Sends a request and cancels it between none and about two usual response times later.
    private static func sendOne(_ number: Int, _ session: CurlSession, _ server: ServerAddress) async throws {
        let isSecure = Bool.random()
        let isStreamed = Int.random(in: 0..<4) == 0
        let url =
            isStreamed ? "\(server.plain)/large/1000000" : (isSecure ? server.secure : server.plain) + "/"
        let task = Task {
            guard isStreamed else { return _ = try await session.data(from: url) }
            let (_, stream) = try await session.bytes(for: HTTPRequest(url: url))
            for try await _ in stream {}
        }
        let pause = Duration.microseconds(Int.random(in: 0..<40_000))
        // A sleeper that wakes late only moves the moment, which is random anyway.
        try await Task.sleep(for: pause)
        task.cancel()
        do {
            try await task.value
            answered.add(1, ordering: .relaxed)
        } catch is CancellationError {
            cancelled.add(1, ordering: .relaxed)
        }
    }
}

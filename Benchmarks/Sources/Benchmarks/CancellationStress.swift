import Foundation
import HTTPMessages
import HTTPTransport
import Synchronization

/// Cancels requests at random moments, gives up streams, and fails when anything is left of them.
///
/// Not a benchmark: it looks for transfers, connections and memory that outlive a request. Under AddressSanitizer it also
/// looks for leaks.
enum CancellationStress {
    private static let lanes = 64
    /// How many requests the usual times are taken from.
    private static let warmUp = 2_000

    /// What is sent, and how it is read.
    private enum Kind: CaseIterable {
        case plain, secure, streamed, slowlyRead
    }

    private enum Outcome: CaseIterable {
        case answered, givenUp, cancelled
    }

    private struct Sent: Sendable {
        let kind: Kind
        let outcome: Outcome
        let duration: Duration
    }

    /// By when requests of each kind are cancelled.
    ///
    /// A cancelled request can take its connection along, and the next one is slower for it. So the usual times are a start
    /// alone, and each outcome moves the moments a little, until half of the requests end before them.
    private final class Moments: Sendable {
        private let latest: Mutex<[Kind: Duration]>

        init(_ usual: [Kind: Duration]) { latest = Mutex(usual.mapValues { $0 * 2 }) }

        func pick(_ kind: Kind) -> Duration {
            latest.withLock { $0[kind] ?? .zero } * Double.random(in: 0..<1)
        }

        func learn(from sent: Sent) {
            let factor = sent.outcome == .cancelled ? 1.02 : 1 / 1.02
            latest.withLock { latest in latest[sent.kind] = latest[sent.kind].map { $0 * factor } }
        }
    }

    /// The memory and the descriptors of this process.
    private struct Usage {
        let kilobytes: Int
        let descriptors: Int

        init() throws {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            kilobytes = line.flatMap { Int($0.split(separator: " ").dropLast().last ?? "") } ?? 0
            descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }
    }

    /// - Throws: ``BenchmarkError`` when descriptors are left, the session answers no more, or the moments were such that
    ///   hardly any request was cancelled, or hardly any was not.
    static func run(_ count: Int, server: ServerAddress) async throws {
        // In a session of its own, so that what is made once is there before the first look.
        let usual = try await usualTimes(server)
        let before = try Usage()
        let session = try CurlSession(configuration: .init(trustRoots: .file(server.caPath)))
        let start = ContinuousClock.now
        let sent = try await send(count, over: session, to: server, cancelling: Moments(usual))
        let duration = ContinuousClock.now - start
        for url in [server.plain, server.secure + "/"] {
            guard try await session.data(from: url).status == .ok else {
                throw BenchmarkError("the session does not answer any more")
            }
        }
        session.close()
        let after = try Usage()
        let counts = Outcome.allCases.map { outcome in sent.count { $0.outcome == outcome } }
        show(
            """
            \(count) requests in \(text(duration.inSeconds, 1)) s: \(counts[0]) answered, \(counts[1]) given up, \
            \(counts[2]) cancelled
            """
        )
        for kind in Kind.allCases {
            let own = sent.filter { $0.kind == kind }
            let cancelled = own.count { $0.outcome == .cancelled }
            let time = text((usual[kind]?.inSeconds ?? 0) * 1_000, 2)
            show("\(kind): usually \(time) ms, \(cancelled) of \(own.count) cancelled")
        }
        show(
            """
            memory \(before.kilobytes) KiB before, \(after.kilobytes) KiB after
            descriptors \(before.descriptors) before, \(after.descriptors) after, with the session closed
            """
        )
        guard after.descriptors <= before.descriptors else {
            throw BenchmarkError("\(after.descriptors - before.descriptors) descriptors are left")
        }
        guard min(counts[2], count - counts[2]) * 10 >= count else {
            throw BenchmarkError("the requests were cancelled too early or too late to show anything")
        }
    }

    /// How long the requests of each kind take in the middle when none is cancelled, with as many at a time.
    private static func usualTimes(_ server: ServerAddress) async throws -> [Kind: Duration] {
        let session = try CurlSession(configuration: .init(trustRoots: .file(server.caPath)))
        defer { session.close() }
        let sent = try await send(warmUp, over: session, to: server, cancelling: nil)
        return Dictionary(grouping: sent, by: \.kind).mapValues { own in
            own.map(\.duration).sorted()[own.count / 2]
        }
    }

    /// Sends requests of all kinds, and cancels them if there are moments for that.
    private static func send(
        _ count: Int,
        over session: CurlSession,
        to server: ServerAddress,
        cancelling moments: Moments?
    ) async throws -> [Sent] {
        try await withThrowingTaskGroup(of: [Sent].self) { group in
            for lane in 0..<lanes {
                let share = count / lanes + (lane < count % lanes ? 1 : 0)
                group.addTask {
                    var sent: [Sent] = []
                    for _ in 0..<share {
                        let kind = Kind.allCases.randomElement() ?? .plain
                        let moment = moments?.pick(kind)
                        let one = try await sendOne(kind, over: session, to: server, cancelledAfter: moment)
                        moments?.learn(from: one)
                        sent.append(one)
                    }
                    return sent
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// Sends a request and cancels it at a moment, which can be after its end.
    private static func sendOne(
        _ kind: Kind,
        over session: CurlSession,
        to server: ServerAddress,
        cancelledAfter moment: Duration?
    ) async throws -> Sent {
        let start = ContinuousClock.now
        let task = Task { try await exchange(kind, over: session, with: server) }
        let canceller = moment.map { moment in
            Task {
                // A sleeper that wakes late only moves the moment, which is random anyway.
                try await Task.sleep(for: moment)
                task.cancel()
            }
        }
        defer { canceller?.cancel() }
        let result = await task.result
        let duration = ContinuousClock.now - start
        do {
            return Sent(kind: kind, outcome: try result.get(), duration: duration)
        } catch is CancellationError {
            return Sent(kind: kind, outcome: .cancelled, duration: duration)
        }
    }

    private static func exchange(
        _ kind: Kind,
        over session: CurlSession,
        with server: ServerAddress
    ) async throws -> Outcome {
        switch kind {
        case .plain, .secure:
            let url = kind == .plain ? server.plain : server.secure
            guard try await session.data(from: url + "/").status == .ok else {
                throw BenchmarkError("the server answers with another status")
            }
            return .answered
        case .streamed, .slowlyRead:
            let request = try HTTPRequest(url: "\(server.plain)/large/1000000")
            let (_, stream) = try await session.bytes(for: request)
            var patience = kind == .slowlyRead ? Int.random(in: 1...5) : .max
            for try await _ in stream {
                patience -= 1
                // Whoever returns lets go of the stream within its content.
                if patience == 0 { return .givenUp }
                if kind == .slowlyRead { try await Task.sleep(for: .milliseconds(1)) }
            }
            return .answered
        }
    }

    private static func text(_ number: Double, _ digits: Int) -> String {
        number.formatted(.number.precision(.fractionLength(digits)))
    }
}

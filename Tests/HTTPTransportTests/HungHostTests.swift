import HTTPMessages
import HTTPServing
import HTTPTransport
import Locking
import TestSupport
import Testing

/// Keeps the paths that were asked for, in their order.
private final class Paths: Sendable {
    private let paths = Mutex<[String]>([])

    var all: [String] { paths.withLock { $0 } }

    func add(_ path: String) { paths.withLock { $0.append(path) } }
}

@Suite("A host that hangs", .timeLimit(.minutes(1))) struct HungHostTests {
    /// The limits leave a connection to each of the other hosts, so nobody there has to wait for the one that hangs.
    @Test(arguments: [(1, 256), (1, 3), (2, 4)])
    func othersDoNotWaitForIt(_ hostLimit: Int, _ limit: Int) async throws {
        let handler = Silent()
        let hung = try HTTPServer(handler: handler)
        let (first, second) = (Paths(), Paths())
        let servers = try [first, second].map { paths in
            try HTTPServer { served in
                paths.add(served.request.target.path)
                return HTTPResponse(status: .ok)
            }
        }
        let session = try CurlSession(
            configuration: .init(maximumConnectionsPerHost: hostLimit, maximumConnections: limit)
        )
        // On the session's thread the requests begin in their order.
        try await withTaskExecutorPreference(session.executor) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                let waiting = (0..<30).map { _ in
                    Task(executorPreference: session.executor) { try await session.data(from: hung.url) }
                }
                await handler.waitForArrival()
                for number in 0..<20 {
                    var request = try HTTPRequest(url: "\(servers[number % 2].url)/\(number / 2)")
                    request.options.timeout = .seconds(10)
                    group.addTask { [request] in
                        let response = try await session.data(for: request)
                        #expect(response.status == .ok)
                    }
                }
                try await group.waitForAll()
                for task in waiting {
                    task.cancel()
                    await #expect(throws: CancellationError.self) { try await task.value }
                }
            }
        }
        for paths in [first, second] where hostLimit == 1 {
            #expect(paths.all == (0..<10).map { "/\($0)" })
        }
    }

    /// In plain HTTP it waits for its host's limit, over TLS for a connection that might be shared.
    @Test(arguments: ["http", "https"]) func whatIsCancelledWhileItWaitsIsFreed(_ scheme: String) async throws
    {
        let server = RawServer("", end: .keep)
        let session = try CurlSession(configuration: .init(maximumConnectionsPerHost: 1))
        let url = "\(scheme)://127.0.0.1:\(server.port)/"
        let first = Task { try await session.data(from: url) }
        try await eventually { server.connections == 1 }
        let others = (0..<100).map { _ in
            Task {
                let progress = HTTPProgress()
                var request = try HTTPRequest(url: url)
                request.options.progress = progress
                return await Weak(progress, whileWaiting: session, request)
            }
        }
        for task in others {
            let progress = try await task.value
            try await eventually { progress.object == nil }
        }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
    }
}

/// The progress of a request that was cancelled while it waited.
private final class Weak: Sendable {
    weak let object: HTTPProgress?

    init(_ object: HTTPProgress, whileWaiting session: CurlSession, _ request: HTTPRequest) async {
        self.object = object
        // The session's thread takes both in their order, and the request before the rest of the second.
        let task = Task(executorPreference: session.executor) { try await session.data(for: request) }
        await Task(executorPreference: session.executor) { await Task.yield() }.value
        task.cancel()
        _ = await task.result
    }
}

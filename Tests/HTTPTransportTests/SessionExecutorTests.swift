import Glibc
import HTTPMessages
import HTTPServing
import HTTPTransport
import Locking
import TestSupport
import Testing

@Suite("Executor of a session", .timeLimit(.minutes(1))) struct SessionExecutorTests {
    @Test func tasksRunOnOneThreadTogetherWithTheirRequests() async throws {
        let server = try HTTPServer(handler: Echo())
        let session = try CurlSession()
        let caller = pthread_self()
        let threads = try await withTaskExecutorPreference(session.executor) {
            try await withThrowingTaskGroup(of: Set<pthread_t>.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let before = pthread_self()
                        let body = HTTPBody("\(number)")
                        let request = try HTTPRequest(method: .post, url: "\(server.url)/", body: body)
                        let response = try await session.data(for: request)
                        #expect(response.text == "\(number)")
                        return [before, pthread_self()]
                    }
                }
                return try await group.reduce(into: Set()) { $0.formUnion($1) }
            }
        }
        #expect(threads.count == 1 && !threads.contains(caller))
    }

    @Test func aStreamIsReadAndACallCancelledOnTheThread() async throws {
        let server = try HTTPServer(configuration: .init(maximumBodySize: 8 << 20), handler: Echo())
        let silent = RawServer("", end: .keep)
        let session = try CurlSession()
        try await withTaskExecutorPreference(session.executor) {
            let waiting = Task { try await session.data(from: silent.url) }
            let body = HTTPBody([UInt8](repeating: 7, count: 4 << 20))
            var request = try HTTPRequest(method: .post, url: "\(server.url)/", body: body)
            request.options.streamsResponse = true
            var count = 0
            for try await portion in try #require(try await session.data(for: request).stream) {
                count += portion.count
            }
            #expect(count == 4 << 20)
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
    }

    @Test func aTaskThatNeverWaitsDoesNotStopExchanges() async throws {
        let server = try HTTPServer(handler: Echo())
        let session = try CurlSession()
        try await withTaskExecutorPreference(session.executor) {
            let busy = Task { while !Task.isCancelled { await Task.yield() } }
            for _ in 0..<20 {
                let response = try await session.data(from: server.url)
                #expect(response.status == .ok)
            }
            busy.cancel()
            await busy.value
        }
    }

    @Test func tasksGoOnAfterTheirSessionWasClosedOnItsThread() async throws {
        let silent = RawServer("", end: .keep)
        let session = try CurlSession()
        try await withTaskExecutorPreference(session.executor) {
            let waiting = Task { try await session.data(from: silent.url) }
            try await eventually { silent.connections == 1 }
            session.close()
            for call in [waiting, Task { try await session.data(from: silent.url) }] {
                await #expect(throws: TransportError.self) { try await call.value }
            }
            for _ in 0..<100 { await Task.yield() }
        }
    }

    @Test func aSessionMayEndInATaskOnItsThread() async throws {
        let server = try HTTPServer(handler: Echo())
        var session: CurlSession? = try CurlSession()
        let executor = try #require(session?.executor)
        let call = Task(executorPreference: executor) { [session] in
            try await session?.data(from: server.url).status
        }
        session = nil
        #expect(try await call.value == .ok)
        // The executor is asked after the session has gone.
        let later = Task(executorPreference: executor) { await Task.yield() }
        await later.value
    }
}

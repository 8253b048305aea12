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

    // A `Task` of its own does not prefer what its maker prefers, so it has to be told.

    @Test func aStreamIsReadAndACallCancelledOnTheThread() async throws {
        let server = try HTTPServer(configuration: .init(maximumBodySize: 8 << 20), handler: Echo())
        let silent = RawServer("", end: .keep)
        let session = try CurlSession()
        let waiting = Task(executorPreference: session.executor) { try await session.data(from: silent.url) }
        try await withTaskExecutorPreference(session.executor) {
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
        let busy = Task(executorPreference: session.executor) {
            while !Task.isCancelled { await Task.yield() }
            return pthread_self()
        }
        let thread = try await withTaskExecutorPreference(session.executor) {
            for _ in 0..<20 {
                let response = try await session.data(from: server.url)
                #expect(response.status == .ok)
            }
            return pthread_self()
        }
        busy.cancel()
        #expect(await busy.value == thread)
    }

    @Test func tasksLeaveTheThreadWhenTheirSessionIsClosedOnIt() async throws {
        let silent = RawServer("", end: .keep)
        let session = try CurlSession()
        let waiting = Task(executorPreference: session.executor) { try await session.data(from: silent.url) }
        try await withTaskExecutorPreference(session.executor) {
            try await eventually { silent.connections == 1 }
            session.close()
            let late = Task(executorPreference: session.executor) {
                try await session.data(from: silent.url)
            }
            for call in [waiting, late] {
                await #expect(throws: TransportError.self) { try await call.value }
            }
            for _ in 0..<100 { await Task.yield() }
        }
    }

    @Test func tasksGoOnWhenTheirSessionIsClosedByAnotherThread() async throws {
        let server = try HTTPServer(handler: Echo())
        for _ in 0..<20 {
            let session = try CurlSession()
            let calls = (0..<50).map { _ in
                Task(executorPreference: session.executor) {
                    while true { _ = try await session.data(from: server.url) }
                }
            }
            _ = try await session.data(from: server.url)
            try await blocking { session.close() }
            for call in calls {
                let error = await #expect(throws: TransportError.self) { try await call.value }
                #expect(error?.code == .sessionClosed)
            }
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

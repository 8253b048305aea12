import HTTPInterceptors
import HTTPMessages
import Testing

@Suite("Event monitors") struct EventMonitorTests {
    private struct Watching: HTTPEventMonitor {
        let name: String
        let events: Recorder<String>

        func requestStarted(_ id: Int, _ request: HTTPRequest) {
            events.record("\(name) \(id) started \(request)")
        }

        func requestFinished(
            _ id: Int,
            _ request: HTTPRequest,
            _ response: HTTPResponse,
            after duration: Duration
        ) {
            events.record("\(name) \(id) finished \(response.status) \(duration)")
        }

        func requestFailed(_ id: Int, _ request: HTTPRequest, _ error: any Error, after duration: Duration) {
            events.record("\(name) \(id) failed \(type(of: error)) \(duration)")
        }

        func requestCancelled(_ id: Int, _ request: HTTPRequest, after duration: Duration) {
            events.record("\(name) \(id) cancelled \(duration)")
        }
    }

    private struct Idle: HTTPEventMonitor {}

    @Test func theyAreToldInOrder() async throws {
        let (events, time) = (Recorder<String>(), FakeTime())
        let monitors: [any HTTPEventMonitor] = [
            Watching(name: "a", events: events), Idle(), Watching(name: "b", events: events),
        ]
        let watching = EventMonitorInterceptor(monitors: monitors, time: time.source)
        let session = FakeSession { _, number in
            time.advance(by: .seconds(1))
            switch number {
            case 0: return HTTPResponse(status: .notFound)
            case 1: throw FakeError(text: "kept")
            default: throw CancellationError()
            }
        }
        var request = try HTTPRequest(url: "https://a.example/x")
        try request.fields.append("kept", for: "Accept")
        #expect(try await session.data(for: request, interceptors: [watching]).status == .notFound)
        await #expect(throws: FakeError(text: "kept")) {
            try await session.data(for: request, interceptors: [watching])
        }
        await #expect(throws: CancellationError.self) {
            try await session.data(for: request, interceptors: [watching])
        }
        let second = Duration.seconds(1)
        #expect(
            events.values == [
                "a 1 started GET https://a.example/x", "b 1 started GET https://a.example/x",
                "a 1 finished 404 \(second)", "b 1 finished 404 \(second)",
                "a 2 started GET https://a.example/x", "b 2 started GET https://a.example/x",
                "a 2 failed FakeError \(second)", "b 2 failed FakeError \(second)",
                "a 3 started GET https://a.example/x", "b 3 started GET https://a.example/x",
                "a 3 cancelled \(second)", "b 3 cancelled \(second)",
            ]
        )
        #expect(session.requests == [request, request, request])
    }
}

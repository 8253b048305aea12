import HTTPInterceptors
import HTTPMessages
import Testing

@Suite("Metrics") struct MetricsTests {
    private let time = FakeTime()
    private let records = Recorder<RequestMetrics>()

    private var metrics: MetricsInterceptor {
        MetricsInterceptor(time: time.source) { [records] in records.record($0) }
    }

    private func request() throws -> HTTPRequest {
        try HTTPRequest(
            method: .put,
            url: "https://api.example.com/s3cret?s3cret",
            body: HTTPBody([1, 2, 3])
        )
    }

    @Test func aResponse() async throws {
        let session = FakeSession { [time] _, _ in
            time.advance(by: .milliseconds(70))
            return HTTPResponse(status: .created, body: [1, 2])
        }
        _ = try await session.data(for: try request(), interceptors: [metrics])
        let record = try #require(records.values.first)
        #expect(records.values.count == 1)
        #expect(
            record.method == .put && record.host == "api.example.com" && record.outcome == .response(.created)
        )
        #expect(
            record.duration == .milliseconds(70) && record.requestOctets == 3 && record.responseOctets == 2
        )
        #expect(record.attempts == 1 && record.retries == 0 && record.redirects == 0 && record.refreshes == 0)
        #expect(!"\(record)".contains("s3cret"))
    }

    /// A length of 0 would be a lie.
    @Test func whatIsNotInMemoryHasTheLengthThatIsKnown() async throws {
        let metrics = HTTPTransferMetrics(
            nameLookup: .zero,
            connect: .zero,
            secured: .zero,
            firstByte: .zero,
            total: .zero,
            isConnectionReused: false,
            protocolName: "HTTP/1.1",
            sentBytes: 7,
            receivedBytes: 0
        )
        let stream = HTTPByteStream(NoContent())
        let lines = Recorder<String>()
        for known in [metrics, nil] {
            let session = FakeSession { _, _ in
                HTTPResponse(status: .ok, stream: stream, metrics: known)
            }
            let request = try HTTPRequest(
                method: .put,
                url: "https://a.example/",
                body: HTTPBody(file: "/none")
            )
            let logging = LoggingInterceptor { lines.record($0) }
            _ = try await session.data(for: request, interceptors: [self.metrics, logging])
        }
        #expect(records.values.map(\.requestOctets) == [7, nil])
        #expect(records.values.map(\.responseOctets) == [nil, nil])
        #expect(!lines.values.contains { $0.contains("octets") })
    }

    private final class NoContent: HTTPByteStream.Source {
        var trailers: HTTPFields { HTTPFields() }
        func next() async throws -> [UInt8]? { nil }
    }

    @Test func anErrorIsItsType() async throws {
        let session = FakeSession { _, _ in throw FakeError(text: "s3cret") }
        await #expect(throws: FakeError(text: "s3cret")) {
            try await session.data(for: try request(), interceptors: [metrics])
        }
        let record = try #require(records.values.first)
        #expect(record.outcome == .failure(errorType: "FakeError") && record.responseOctets == nil)
        #expect(!"\(record)".contains("s3cret"))
    }

    @Test func itCountsWhatIsSentAgainAndWhy() async throws {
        let credential = RefreshableCredential("old") { _ in "new" }
        let session = FakeSession { request, number in
            switch number {
            case 0: return HTTPResponse(status: .serviceUnavailable)
            case 1:
                return HTTPResponse(
                    status: try HTTPStatus(307),
                    fields: HTTPFields([try HTTPField(.location, "/x")])
                )
            case 2: return HTTPResponse(status: .serviceUnavailable)
            case 3: throw FakeError()
            case 4: return HTTPResponse(status: .unauthorized)
            default: return HTTPResponse(status: .ok)
            }
        }
        let chain: [any HTTPInterceptor] = [
            metrics, metrics, RedirectInterceptor(), RetryInterceptor(time: time.source, random: { 1 }),
            TokenRefreshInterceptor(hosts: [try HostPattern("api.example.com")], credential: credential),
            metrics,
        ]
        _ = try await session.data(for: try request(), interceptors: chain)
        #expect(session.requests.count == 6)
        #expect(records.values.map(\.attempts) == [1, 1, 1, 1, 1, 1, 6, 6])
        let whole = try #require(records.values.last)
        #expect(whole.retries == 3 && whole.redirects == 1 && whole.refreshes == 1)
        #expect(whole.duration == .milliseconds(200 + 200 + 400))
    }
}

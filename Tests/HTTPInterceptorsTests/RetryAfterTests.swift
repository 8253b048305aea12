import FoundationEssentials
import HTTPInterceptors
import HTTPMessages
import Testing

@Suite("Retry-After") struct RetryAfterTests {
    private let time = FakeTime()

    /// The waits of a request to a server that asks for one; the jitter is nothing.
    private func waits(_ values: [String], date: String? = nil, status: Int = 503) async throws -> [Duration]
    {
        var fields = HTTPFields()
        for value in values { try fields.append(value, for: .retryAfter) }
        if let date { try fields.append(date, for: .date) }
        let session = FakeSession(status, 200, fields: fields)
        let retry = RetryInterceptor(time: time.source, random: { 0 })
        let response = try await session.data(
            for: try HTTPRequest(url: "https://example.com/"),
            interceptors: [retry]
        )
        #expect(response.status.code == (session.requests.count == 2 ? 200 : status))
        return time.sleeps
    }

    @Test(arguments: [
        ("0", 0), ("1", 1), ("007", 7), ("60", 60), ("Thu, 01 Jan 2026 00:00:30 GMT", 30),
        ("Thursday, 01-Jan-26 00:00:30 GMT", 30), ("Thu Jan  1 00:00:30 2026", 30),
        ("Thu, 01 Jan 2026 00:00:00 GMT", 0), ("Wed, 31 Dec 2025 23:00:00 GMT", 0),
    ]) func itIsObeyed(value: String, seconds: Int) async throws {
        #expect(try await waits([value]) == [.seconds(seconds)])
    }

    @Test(arguments: [408, 429, 502, 503, 504]) func itIsObeyedWithEveryRetriedStatus(
        status: Int
    ) async throws {
        #expect(try await waits(["5"], status: status) == [.seconds(5)])
    }

    @Test(arguments: [
        "61", "86400", "9223372036854775807", "9223372036854775808", "99999999999999999999999999",
        "Thu, 01 Jan 2026 00:01:01 GMT", "Fri, 31 Dec 9999 23:59:59 GMT",
    ]) func aLongerWaitThanTheCapReturnsTheResponse(value: String) async throws {
        #expect(try await waits([value]) == [])
    }

    @Test(arguments: [
        "-1", "+1", "1.5", "1s", "0x10", "1, 2", "soon", "٣", "Thu, 01 Jan 2026", "Thu, 01 Jan 2026 00:00:30",
        "Fri, 01 Jan 2026 00:00:30 GMT", "2026-01-01T00:00:30Z",
    ]) func junkIsAsIfItWereNotThere(value: String) async throws {
        #expect(try await waits([value]) == [.zero])
    }

    @Test func severalAreAsIfTheyWereNotThere() async throws {
        #expect(try await waits(["5", "5"]) == [.zero])
        #expect(try await RetryAfterTests().waits([""]) == [.zero])
    }

    @Test(arguments: [
        ("Thu, 01 Jan 2026 05:00:00 GMT", "Thu, 01 Jan 2026 05:00:20 GMT", 20),
        ("Mon, 01 Jan 2024 00:00:00 GMT", "Mon, 01 Jan 2024 00:00:09 GMT", 9),
        ("junk", "Thu, 01 Jan 2026 00:00:08 GMT", 8),
    ]) func aDateIsComparedWithTheServersOwn(date: String, value: String, seconds: Int) async throws {
        #expect(try await waits([value], date: date) == [.seconds(seconds)])
    }

    @Test func theJitterComesOnTop() async throws {
        let session = FakeSession(503, 200, fields: HTTPFields([try HTTPField(.retryAfter, "5")]))
        let retry = RetryInterceptor(time: time.source, random: { 0.5 })
        _ = try await session.data(for: try HTTPRequest(url: "https://example.com/"), interceptors: [retry])
        #expect(time.sleeps == [.milliseconds(5100)])
    }

    @Test func theCapIsChosen() async throws {
        var policy = RetryPolicy()
        policy.maximumRetryAfter = .seconds(3)
        for (value, count) in [("3", 2), ("4", 1)] {
            let session = FakeSession(503, 200, fields: HTTPFields([try HTTPField(.retryAfter, value)]))
            let retry = RetryInterceptor(policy: policy, time: time.source)
            _ = try await session.data(
                for: try HTTPRequest(url: "https://example.com/"),
                interceptors: [retry]
            )
            #expect(session.requests.count == count)
        }
    }
}

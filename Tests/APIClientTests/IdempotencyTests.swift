import APIClient
import HTTPInterceptors
import HTTPMessages
import HTTPServing
import Locking
import Testing

@Suite("Idempotency", .timeLimit(.minutes(1))) struct IdempotencyTests {
    private func backend(failing failures: Int) throws -> Backend {
        let count = Mutex(0)
        let next: @Sendable () -> Int = {
            count.withLock { count in
                count += 1
                return count
            }
        }
        return try Backend { _ in
            next() <= failures
                ? HTTPResponse(status: .serviceUnavailable) : try .json(#"{"id":1,"name":"x"}"#)
        }
    }

    private var retry: RetryInterceptor {
        var policy = RetryPolicy()
        policy.baseDelay = .zero
        return RetryInterceptor(policy: policy)
    }

    @Test func everyRetryHasTheSameKey() async throws {
        let backend = try backend(failing: 2)
        let api = try backend.api { $0.interceptors = [retry] }
        let key = try IdempotencyKey("order \"7\"\\")
        let _: Shape = try await api.post("/orders", parameters: ["x": 1], idempotencyKey: key)
        #expect(
            backend.requests.map { $0.fields["Idempotency-Key"] }
                == Array(repeating: #""order \"7\"\\""#, count: 3)
        )
        #expect(Set(backend.requests.map(\.body)).count == 1)
    }

    @Test func withoutAKeyNothingIsSentTwice() async throws {
        let backend = try backend(failing: 2)
        let api = try backend.api { $0.interceptors = [retry] }
        let error = await #expect(throws: APIError.self) { let _: Shape = try await api.post("/orders") }
        #expect(error?.status?.code == 503)
        #expect(backend.requests.count == 1)
        #expect(backend.requests[0].fields["Idempotency-Key"] == nil)
    }

    @Test func keysAreAddedWhenAskedFor() async throws {
        let backend = try backend(failing: 1)
        let api = try backend.api {
            $0.interceptors = [retry]
            $0.addsIdempotencyKeys = true
        }
        let _: Shape = try await api.post("/orders")
        let _: Shape = try await api.patch("/orders/1")
        let _: Shape = try await api.put("/orders/1")
        let _: Shape = try await api.get("/orders/1")
        let _: Shape = try await api.post("/orders", headers: ["idempotency-key": "mine"])
        let keys = backend.requests.map { $0.fields["Idempotency-Key"] }
        #expect(keys.count == 6 && keys[0] == keys[1] && keys[0] != keys[2])
        #expect(keys[0]?.utf8.count == 34 && keys[3] == nil && keys[4] == nil && keys[5] == "mine")
    }

    @Test(arguments: ["", "a\nb", "é", String(repeating: "x", count: 256)])
    func keysThatAreNone(text: String) {
        let error = #expect(throws: APIError.self) { try IdempotencyKey(text) }
        #expect(error?.code == .invalidHeader)
    }
}

import APIClient
import Encodings
import FoundationEssentials
import HTTPInterceptors
import HTTPMessages
import HTTPServing
import HTTPTransport
import Protection
import ProtectionTesting
import TestSupport
import Testing

@Suite("API errors", .timeLimit(.minutes(2))) struct ErrorTests {
    private func failure(_ api: API, _ path: String = "/") async throws -> APIError {
        try #require(
            await #expect(throws: APIError.self) {
                let _: [Shape] = try await api.get(APIEndpoint(path: path))
            }
        )
    }

    @Test(arguments: [199 + 1, 301, 304, 400, 401, 404, 409, 422, 429, 500, 503])
    func aStatusIsAnErrorUnlessItIsValid(status: Int) async throws {
        let backend = try Backend { _ in
            try .json(
                status == 304 ? "" : "[]",
                status,
                [("X-Why", "because"), (.location, "https://other.test/")]
            )
        }
        if status == 200 {
            let shapes: [Shape] = try await backend.api().get("/")
            #expect(shapes == [])
            return
        }
        let error = try await failure(backend.api())
        #expect(error.code == .status && error.status?.code == status)
        #expect(error.status?.fields["X-Why"] == "because")
        #expect(error.status?.problem == nil && error.status?.decodedBody == nil)
        #expect(!error.isRetryable)
    }

    @Test func theBodyOfAnErrorIsKeptUpToALimit() async throws {
        let backend = try Backend { _ in
            HTTPResponse(status: .badRequest, body: Array("secret-secret".utf8))
        }
        let error = try await failure(backend.api { $0.errorBodyLimit = 6 })
        #expect(error.status?.body == Array("secret".utf8) && error.status?.isTruncated == true)
        #expect(!"\(error)".contains("secret"))
        #expect(
            "\(error)" == "status: the status of the response is not valid, status 400, more than 6 octets"
        )
        let whole = try await failure(backend.api())
        #expect(whole.status?.body.count == 13 && whole.status?.isTruncated == false)
    }

    @Test(arguments: [
        "application/problem+json", "Application/Problem+JSON; charset=utf-8",
        "application/problem+json ;a=b",
    ]) func problemDetailsAreRead(type: String) async throws {
        let text = """
            {"type":"https://example.com/probs/out-of-credit","title":"You do not have enough credit.","status":403,
            "detail":"Your current balance is 30, but that costs 50.","instance":"/account/12345/msgs/abc","balance":30,
            "accounts":["/account/12345","/account/67890"]}
            """
        let backend = try Backend { _ in
            var response = HTTPResponse(status: .forbidden, body: Array(text.utf8))
            try response.fields.set(type, for: .contentType)
            return response
        }
        let problem = try #require(try await failure(backend.api()).status?.problem)
        #expect(problem.type == "https://example.com/probs/out-of-credit")
        #expect(problem.title == "You do not have enough credit." && problem.status == 403)
        #expect(problem.detail?.hasPrefix("Your current") == true)
        #expect(problem.instance == "/account/12345/msgs/abc")
        #expect(problem.extensions["balance"]?.integer == 30)
        #expect(problem.extensions["accounts"]?.array?.count == 2)
        #expect(problem.extensions["type"] == nil)
    }

    @Test(arguments: [
        ("{}", "about:blank", true), (#"{"type":7,"title":null,"status":"403"}"#, "about:blank", true),
        ("[]", "", false), (#"{"type":"a","type":"b"}"#, "", false), ("", "", false),
        (#"{"status":99}"#, "about:blank", true),
    ]) func problemDetailsOfAnyKind(text: String, type: String, isOne: Bool) {
        let problem = ProblemDetails(parsing: Array(text.utf8))
        #expect((problem != nil) == isOne)
        if let problem {
            #expect(problem.type == type && problem.title == nil && problem.status == nil)
        }
    }

    @Test func anErrorTypeIsDecoded() async throws {
        struct Fault: Decodable, Sendable, Equatable {
            var reason: String
        }
        let backend = try Backend { request in
            try .json(request.target.path == "/other" ? "{}" : #"{"reason":"closed"}"#, 409)
        }
        let api = try backend.api { $0.errorType = Fault.self }
        let error = try await failure(api)
        #expect(error.status?.body(as: Fault.self) == Fault(reason: "closed"))
        #expect(error.status?.body(as: Shape.self) == nil)
        #expect(try await failure(api, "/other").status?.decodedBody == nil)
    }

    @Test func whatTheTransportThrows() async throws {
        let backend = try Backend { _ in
            try? await Task.sleep(for: .seconds(30))
            return HTTPResponse(status: .ok)
        }
        var untrusting = backend.configuration()
        untrusting.transport.trustRoots = .system
        let distrust = try await failure(API(untrusting))
        #expect(distrust.code == .transport)
        #expect((distrust.underlying as? TransportError)?.code == .certificateNotTrusted)
        #expect(!distrust.isRetryable)

        let late = try await failure(backend.api { $0.timeout = .milliseconds(200) })
        #expect(late.code == .transport && (late.underlying as? TransportError)?.code == .timedOut)
        #expect(late.isRetryable && "\(late)".contains("timedOut"))

        let slow = try backend.api()
        let request = APIRequest(.get, "/", timeout: .milliseconds(200))
        let own = await #expect(throws: APIError.self) { try await slow.perform(request) }
        #expect((own?.underlying as? TransportError)?.code == .timedOut)

        let closed = try await failure(API(API.Configuration(baseURL: "https://localhost:1")))
        #expect((closed.underlying as? TransportError)?.code == .connectFailed)
    }

    @Test func aCancelledTaskSaysSo() async throws {
        let backend = try Backend { _ in
            try? await Task.sleep(for: .seconds(30))
            return HTTPResponse(status: .ok)
        }
        let api = try backend.api()
        let task = Task { try await api.perform(APIRequest(.get, "/")) }
        try await eventually { !backend.requests.isEmpty }
        task.cancel()
        let error = await #expect(throws: APIError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func theProtectionServiceIsUnderneath() async throws {
        let backend = try Backend { _ in try .json("[]") }
        let configuration = try TestConfiguration.line()
        let fetcher = ScriptedTokenFetcher(tokens: [.token("token-1"), .status(.noNetwork)])
        let service = ProtectionService(options: .init(prefetches: false))
        service.setLoggingLevel(.off)
        try service.initialize(config: configuration, fetcher: fetcher)
        let api = try backend.api { $0.protection = service }
        let _: [Shape] = try await api.get("/")
        #expect(backend.requests.first?.fields["Protection-Token"] == "token-1")
        let error = try await failure(api)
        #expect(error.code == .protection && error.isRetryable)
        #expect((error.underlying as? ProtectionError)?.code == .networking)
        #expect(backend.requests.count == 1)
    }

    @Test func interceptorsSeeEachCall() async throws {
        struct Mark: HTTPInterceptor {
            let text: String

            func intercept(
                _ request: HTTPRequest,
                next: @Sendable (HTTPRequest) async throws -> HTTPResponse
            ) async throws -> HTTPResponse {
                var request = request
                try request.fields.append(text, for: "X-Mark")
                return try await next(request)
            }
        }
        let backend = try Backend { _ in try .json("[]") }
        let api = try backend.api { $0.interceptors = [Mark(text: "api")] }
        _ = try await api.perform(APIRequest(.get, "/", interceptors: [Mark(text: "call")]))
        #expect(backend.requests[0].fields[values: "X-Mark"] == ["call", "api"])
    }

    @Test func redirectsStayAtTheirOrigin() async throws {
        let other = try Backend { _ in try .json("[]") }
        let location = other.url + "/"
        let backend = try Backend { request in
            switch request.target.path {
            case "/near": try .json("", 302, [(.location, "/end")])
            case "/far": try .json("", 302, [(.location, location)])
            default: try .json("[]")
            }
        }
        let api = try backend.api { $0.baseHeaders = ["X-Api-Key": "secret"] }
        let _: [Shape] = try await api.get("/near")
        #expect(try await failure(api, "/far").status?.code == 302)
        #expect(other.requests.isEmpty)
        let following = try backend.api {
            $0.baseHeaders = ["X-Api-Key": "secret"]
            $0.redirects = .follow
        }
        let _: [Shape] = try await following.get("/far")
        #expect(other.requests.count == 1 && other.requests[0].fields["X-Api-Key"] == nil)
    }
}

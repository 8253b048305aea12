import HTTPMessages
import Protection
import ProtectionTesting
import TestSupport
import Testing

@Suite("Hooks") struct HookTests {
    struct AppError: Error, Equatable {
        let hook: String
    }

    /// Throws at one hook, whichever it is.
    struct Throwing: ServiceMutator {
        let hook: String

        private func stop(_ name: String) throws {
            if hook == name { throw AppError(hook: name) }
        }

        func precheckResult(_ result: FetchResult) throws { try stop("precheck") }
        func fetchTokenResult(_ result: FetchResult, for url: RequestTarget) throws { try stop("fetchToken") }
        func fetchSecureStringResult(_ result: FetchResult, for key: String) throws {
            try stop("secureString")
        }
        func fetchCustomJWTResult(_ result: FetchResult) throws { try stop("customJWT") }

        func shouldProcess(_ request: HTTPRequest) throws -> ProcessingDecision {
            try stop("shouldProcess")
            return .process
        }

        func interceptorFetchTokenResult(
            _ result: FetchResult,
            for url: RequestTarget
        ) throws -> TokenDecision {
            try stop("interceptorFetchToken")
            return .attachToken
        }

        func headerSubstitutionResult(
            _ result: FetchResult,
            for header: HTTPField.Name
        ) throws -> SubstitutionDecision {
            try stop("headerSubstitution")
            return .substitute
        }

        func queryParameterSubstitutionResult(
            _ result: FetchResult,
            for parameter: String
        ) throws -> SubstitutionDecision {
            try stop("querySubstitution")
            return .substitute
        }

        func processedRequest(_ request: HTTPRequest, mutations: RequestMutations) throws -> HTTPRequest {
            try stop("processedRequest")
            return request
        }

        func shouldPin(_ request: HTTPRequest) throws -> PinningDecision {
            try stop("shouldPin")
            return .pin
        }
    }

    private func fetcher() -> ScriptedTokenFetcher {
        let fetcher = ScriptedTokenFetcher(tokens: [.token("one")])
        for key in ["header", "query"] {
            fetcher.setSecureString(key, [.init(FetchResult(status: .success, secureString: "secret"))])
        }
        fetcher.setCustomJWTs([.token("jwt")])
        return fetcher
    }

    @Test(arguments: [
        "shouldProcess", "interceptorFetchToken", "headerSubstitution", "querySubstitution",
        "processedRequest",
        "shouldPin",
    ])
    func aHookThatThrowsStopsTheRequest(hook: String) async throws {
        let service = try TestConfiguration.service(fetcher())
        try service.addSubstitutionHeader("Api-Key")
        service.addSubstitutionQueryParameter("key")
        service.setServiceMutator(Throwing(hook: hook))
        let transport = RecordingSession()
        let session = ProtectedSession(service: service, transport: transport)
        var request = try HTTPRequest(url: "https://example.com/?key=query")
        try request.fields.set("header", for: "Api-Key")
        let error = try await #require(throws: AppError.self) { try await session.data(for: request) }
        #expect(error == AppError(hook: hook))
        #expect(transport.requests.isEmpty)
        let update = await service.updateRequest(request)
        #expect(update.decision == .fail && update.request == request)
        service.setServiceMutator(Throwing(hook: "none"))
        _ = try await session.data(for: request)
        #expect(transport.requests.count == 1)
        #expect(transport.requests.first?.fields["Api-Key"] == "secret")
        #expect(transport.requests.first?.target.query == "key=secret")
    }

    @Test func theCallsHaveHooksOfTheirOwn() async throws {
        let service = try TestConfiguration.service(fetcher())
        let calls: [(String, @Sendable () async throws -> Void)] = [
            ("precheck", { try await service.precheck() }),
            ("fetchToken", { _ = try await service.fetchToken(for: "https://example.com/") }),
            ("secureString", { _ = try await service.fetchSecureString("header") }),
            ("customJWT", { _ = try await service.fetchCustomJWT(payload: "{}") }),
        ]
        for (hook, call) in calls {
            service.setServiceMutator(Throwing(hook: hook))
            let error = try await #require(throws: AppError.self) { try await call() }
            #expect(error.hook == hook)
            service.setServiceMutator(nil)
            try await call()
        }
    }

    @Test func pinningIsDecidedForIgnoredRequestsToo() async throws {
        struct Policy: ServiceMutator {
            func shouldProcess(_ request: HTTPRequest) -> ProcessingDecision { .ignore }
            func shouldPin(_ request: HTTPRequest) -> PinningDecision {
                request.target.host == "metrics.example.com" ? .skip : .pin
            }
        }
        let service = try TestConfiguration.service(fetcher())
        service.setServiceMutator(Policy())
        let skipped = await service.updateRequest(try HTTPRequest(url: "https://metrics.example.com/"))
        #expect(skipped.decision == .ignore && !skipped.request.options.isPinned)
        let pinned = await service.updateRequest(try HTTPRequest(url: "https://example.com/"))
        #expect(pinned.decision == .ignore && pinned.request.options.isPinned)
    }

    @Test func callsAnswerWhatTheFetcherAnswers() async throws {
        let fetcher = fetcher()
        fetcher.setDeviceID("device-1")
        let service = try TestConfiguration.service(fetcher)
        #expect(service.deviceID == "device-1")
        #expect(try await service.fetchToken(for: "https://example.com/") == "one")
        #expect(try await service.fetchSecureString("header") == "secret")
        #expect(try await service.fetchSecureString("unknown") == nil)
        #expect(try await service.fetchCustomJWT(payload: #"{"a":1}"#) == "jwt")
        try await service.precheck()
    }

    @Test func badInputNeverReachesTheFetcher() async throws {
        let fetcher = fetcher()
        let service = try TestConfiguration.service(fetcher)
        let calls: [(String, @Sendable () async throws -> Void)] = [
            ("BAD_URL", { _ = try await service.fetchToken(for: "https://a b/") }),
            ("UNKNOWN_URL", { _ = try await service.fetchToken(for: "https://other.example/") }),
            ("BAD_KEY", { _ = try await service.fetchSecureString("") }),
            ("BAD_KEY", { _ = try await service.fetchSecureString(String(repeating: "k", count: 65)) }),
            ("BAD_PAYLOAD", { _ = try await service.fetchCustomJWT(payload: "[1]") }),
            ("BAD_PAYLOAD", { _ = try await service.fetchCustomJWT(payload: #"{"a":1,"a":2}"#) }),
        ]
        for (status, call) in calls {
            let error = try await #require(throws: ProtectionError.self) { try await call() }
            #expect(error.code == .permanent && error.message.contains(status))
        }
        #expect(fetcher.tokenRequests.isEmpty && fetcher.secureStringRequests.isEmpty)
    }

    @Test func cancellationIsHonest() async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [
            .init(FetchResult(status: .success, token: "late"), after: .seconds(1000))
        ])
        fetcher.setSecureString(
            "slow",
            [.init(FetchResult(status: .success, secureString: "late"), after: .seconds(1000))]
        )
        let service = try TestConfiguration.service(fetcher)
        let request = try HTTPRequest(url: "https://example.com/")
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await service.protect(request) }, { _ = try await service.fetchSecureString("slow") },
        ]
        for call in calls {
            let task = Task { try await call() }
            try await eventually { !fetcher.tokenRequests.isEmpty || !fetcher.secureStringRequests.isEmpty }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test(arguments: [
        ("https://example.com/", true), ("http://localhost/", true), ("http://127.0.0.1:8080/", true),
        ("http://example.com/", false), ("http://127.evil.example/", false),
    ])
    func aTokenNeverLeavesThisMachineInClear(url: String, isProcessed: Bool) async throws {
        let request = try HTTPRequest(url: url)
        if isProcessed {
            #expect(try await DefaultServiceMutator().shouldProcess(request) == .process)
        } else {
            let error = try await #require(throws: ProtectionError.self) {
                try await DefaultServiceMutator().shouldProcess(request)
            }
            #expect(error.code == .permanent)
        }
    }
}

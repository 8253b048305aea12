import FoundationEssentials
import HTTPMessages
import Protection
import ProtectionTesting
import TestSupport
import Testing

@Suite("Logging") struct LoggingTests {
    private let sink = RecordingLogSink()

    private func service(_ fetcher: ScriptedTokenFetcher, level: LogLevel) throws -> ProtectionService {
        let service = ProtectionService(options: .init(time: ManualTime().source, prefetches: false))
        service.setLogSink(sink)
        service.setLoggingLevel(level)
        try service.initialize(config: TestConfiguration.make().encoded(), fetcher: fetcher)
        return service
    }

    @Test func theDefaultLevelIsInfo() {
        #expect(ProtectionService().loggingLevel == .info)
    }

    @Test(arguments: LogLevel.allCases) func aLevelHoldsBackWhatIsBelowIt(level: LogLevel) async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [.token("one"), .status(.noNetwork)])
        let service = try service(fetcher, level: level)
        _ = await service.updateRequest(try HTTPRequest(url: "https://example.com/"))
        _ = await service.updateRequest(try HTTPRequest(url: "https://example.com/"))
        #expect(sink.entries.allSatisfy { $0.level <= level })
        #expect(sink.entries.isEmpty == (level < .warning))
        #expect(sink.entries.contains { $0.level == .debug } == (level == .debug))
    }

    @Test func noSecretIsEverWritten() async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [
            .init(
                FetchResult(
                    status: .success,
                    token: "eyJ.SECRET-TOKEN.sig",
                    arc: "ARC-1",
                    traceID: "trace-1",
                    loggableToken: #"{"did":"device"}"#
                )
            )
        ])
        fetcher.setSecureString(
            "placeholder",
            [.init(FetchResult(status: .success, secureString: "SECRET-STRING"))]
        )
        fetcher.setCustomJWTs([.init(FetchResult(status: .success, token: "SECRET-JWT"))])
        let service = try service(fetcher, level: .debug)
        try service.setBindingHeaders(["Authorization"])
        try service.addSubstitutionHeader("Api-Key")
        service.addSubstitutionQueryParameter("key")
        var request = try HTTPRequest(url: "https://example.com/path?key=placeholder&other=SECRET-QUERY")
        try request.fields.set("SECRET-CREDENTIAL", for: .authorization)
        try request.fields.set("placeholder", for: "Api-Key")
        let update = await service.updateRequest(request)
        #expect(update.decision == .proceed)
        _ = try await service.fetchSecureString("placeholder", newDefinition: "SECRET-DEFINITION")
        _ = try await service.fetchCustomJWT(payload: #"{"secret":"SECRET-PAYLOAD"}"#)
        #expect(sink.lines.contains { $0.contains("trace=trace-1") && $0.contains("arc=ARC-1") })
        #expect(sink.lines.contains { $0.contains(#"claims="{\"did\":\"device\"}""#) })
        for line in sink.lines + [update.message, "\(update.request)", "\(fetcher.tokenRequests)"] {
            #expect(!line.contains("SECRET"))
        }
        #expect(service.lastARC == "ARC-1")
    }

    /// Whichever call attests, its code is the last.
    @Test func everyAttestationLeavesItsCode() async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [
            .init(FetchResult(status: .success, token: "TOKEN", arc: "ARC-1"))
        ])
        fetcher.setSecureString("key", [.init(FetchResult(status: .rejected, arc: "ARC-2"))])
        fetcher.setCustomJWTs([.init(FetchResult(status: .success, token: "JWT", arc: "ARC-3"))])
        let service = try service(fetcher, level: .debug)
        _ = try await service.fetchToken(for: "https://example.com/")
        #expect(service.lastARC == "ARC-1")
        await #expect(throws: ProtectionError.self) { try await service.fetchSecureString("key") }
        #expect(service.lastARC == "ARC-2")
        _ = try await service.fetchCustomJWT(payload: "{}")
        #expect(service.lastARC == "ARC-3")
    }

    /// A fetch that was under way tells nothing of the configuration that replaced its own.
    @Test func theCodeOfAFormerConfigurationDoesNotComeBack() async throws {
        let time = ManualTime()
        var late = FetchResult(status: .success, token: "late")
        late.arc = "ARC-OLD"
        let former = ScriptedTokenFetcher(tokens: [.init(late, after: .seconds(5))], time: time.source)
        let service = try TestConfiguration.service(former, time: time)
        let fetch = Task { try await service.fetchToken(for: "https://example.com/") }
        try await eventually { time.sleeperCount >= 2 }
        try service.initialize(
            config: TestConfiguration.make(hosts: ["example.org"]).encoded(),
            fetcher: ScriptedTokenFetcher(),
            comment: "reinit"
        )
        time.advance(by: .seconds(5))
        #expect(try await fetch.value == "late")
        #expect(service.lastARC == nil)
    }

    @Test func anErrorOfTheAppIsNamedByItsTypeAlone() async throws {
        struct AppError: Error { let secret = "SECRET" }
        struct Policy: ServiceMutator {
            func shouldProcess(_ request: HTTPRequest) throws -> ProcessingDecision { throw AppError() }
        }
        let service = try service(ScriptedTokenFetcher(), level: .debug)
        service.setServiceMutator(Policy())
        let update = await service.updateRequest(try HTTPRequest(url: "https://example.com/"))
        #expect(update.error is AppError)
        #expect(sink.lines.contains { $0.contains("error=AppError") })
        #expect(!sink.lines.contains { $0.contains("SECRET") })
    }

    @Test(arguments: [
        ("plain", "key=plain"), ("", #"key="""#), ("a b", #"key="a b""#), ("a=b", #"key="a=b""#),
        ("a\nlevel=error", #"key="a\u{a}level=error""#), ("a\u{1B}[31m", #"key="a\u{1b}[31m""#),
        (#"a"b\c"#, #"key="a\"b\\c""#), ("é", #"key="é""#), ("\u{202E}x", #"key="\u{202e}x""#),
        ("\u{2028}", #"key="\u{2028}""#),
    ])
    func noValueCanForgeALine(value: String, expected: String) async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [.init(FetchResult(status: .noNetwork, detail: value))])
        let service = try service(fetcher, level: .info)
        _ = await service.updateRequest(try HTTPRequest(url: "https://example.com/"))
        let line = try #require(sink.lines.first { $0.contains("event=fetchToken") })
        #expect(line.contains("detail=" + expected.dropFirst("key=".count)))
        #expect(!line.contains("\n"))
    }

    @Test func repeatedInitializationIsLogged() throws {
        let service = try service(ScriptedTokenFetcher(), level: .info)
        try service.initialize(config: TestConfiguration.make().encoded(), comment: "reinit")
        try service.initialize(config: "")
        #expect(
            sink.lines.filter { $0.contains("event=initialize") && $0.contains("enabled=true") }.count == 2
        )
        #expect(sink.lines.contains { $0.contains("ignored=") && $0.contains("level=warning") })
    }
}

import Encodings
import HTTPMessages
import Protection
import ProtectionTesting
import TestVectors
import TestSupport
import Testing

@Suite("Initialize") struct InitializeTests {
    static let cases = ServiceVectors.load("initialize")

    @Test(
        .enabled(if: ConformanceData.isPresent, Comment(rawValue: ConformanceData.absence)),
        arguments: cases
    )
    func follows(vector: ServiceVectors.Case) throws {
        var lines = ["": ""]
        for name in ["one", "two"] { lines[name] = try TestConfiguration.make(account: name).encoded() }
        let fetcher = ScriptedTokenFetcher()
        let service = ProtectionService(options: .init(prefetches: false))
        service.setLoggingLevel(.off)
        for step in vector.json["steps"]?.array ?? [] {
            let step = step.object ?? JSONObject()
            let line = try #require(lines[step["config"]?.string ?? "?"])
            let comment = step["comment"]?.string ?? ""
            if let code = step["error"]?.string {
                let error = try #require(throws: ProtectionError.self) {
                    try service.initialize(config: line, fetcher: fetcher, comment: comment)
                }
                #expect(error.code.description == code)
            } else {
                try service.initialize(config: line, fetcher: fetcher, comment: comment)
            }
        }
        if let expected = vector.json["initialized_with"]?.array {
            #expect(fetcher.configurations.map(\.account) == expected.map(\.string))
        }
        if let enabled = vector.json["enabled"]?.bool { #expect(service.isProtectionEnabled == enabled) }
        if let initialized = vector.json["initialized"]?.bool {
            #expect(service.isInitialized == initialized)
        }
    }

    @Test func settingsStartAgainAndPolicyStays() throws {
        struct Policy: ServiceMutator {}
        let service = try TestConfiguration.service(ScriptedTokenFetcher())
        try service.setTokenHeader("Authorization", prefix: "Bearer ")
        service.setTraceIDHeader(nil)
        try service.setBindingHeaders(["X-Session"])
        service.setUsesStatusIfNoToken(true)
        try service.addSubstitutionHeader("Api-Key", prefix: "Key ")
        service.addSubstitutionQueryParameter("key")
        try service.addExclusionURLRegex("/health$")
        service.setServiceMutator(Policy())
        service.setLoggingLevel(.error)
        try service.initialize(config: TestConfiguration.make(account: "other").encoded(), comment: "reinit")
        #expect(service.tokenHeader == ("Protection-Token", ""))
        #expect(service.traceIDHeader == "Protection-TraceID")
        #expect(service.bindingHeaders.isEmpty && !service.usesStatusIfNoToken)
        #expect(service.substitutionHeaders.isEmpty && service.substitutionQueryParameters.isEmpty)
        #expect(service.exclusionURLRegexes.isEmpty)
        #expect(service.serviceMutator is Policy && service.loggingLevel == .error)
    }

    @Test func aFailureLeavesEverythingAsItWas() throws {
        let fetcher = ScriptedTokenFetcher()
        let service = try TestConfiguration.service(fetcher)
        try service.setTokenHeader("X-Token")
        fetcher.refuseConfigurations(with: ProtectionError(.configuration, "not mine"))
        let other = try TestConfiguration.make(account: "other").encoded()
        for line in [other, String(other.dropLast()), "nonsense"] {
            let error = try #require(throws: ProtectionError.self) {
                try service.initialize(config: line, comment: "reinit")
            }
            #expect(error.code == .configuration)
            #expect(error.underlying != nil)
        }
        #expect(service.isProtectionEnabled && service.tokenHeader.name == "X-Token")
        #expect(fetcher.configurations.map(\.account) == ["account-1"])
    }

    @Test func aFullConfigurationNeedsAFetcher() throws {
        let service = ProtectionService()
        let error = try #require(throws: ProtectionError.self) {
            try service.initialize(config: TestConfiguration.make().encoded())
        }
        #expect(error.code == .configuration)
        #expect(!service.isInitialized)
    }

    @Test func theFirstTokenIsFetchedInTheBackground() async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [.token("first")])
        let service = try TestConfiguration.service(
            fetcher,
            hosts: ["*.example.com", "api.example.org"],
            prefetches: true
        )
        try await eventually { !fetcher.tokenRequests.isEmpty }
        #expect(fetcher.tokenRequests.map(\.audience) == ["api.example.org"])
        #expect(service.isProtectionEnabled)
    }

    @Test func callsBeforeInitializeSaySo() async throws {
        let service = ProtectionService()
        #expect(!service.isInitialized && !service.isProtectionEnabled)
        #expect(service.deviceID == nil && service.lastARC == nil)
        for call: @Sendable () async throws -> Void in [
            { try await service.precheck() },
            { _ = try await service.fetchToken(for: "https://example.com/") },
            { _ = try await service.fetchSecureString("key") },
            { _ = try await service.fetchCustomJWT(payload: "{}") },
        ] {
            let error = try await #require(throws: ProtectionError.self) { try await call() }
            #expect(error.code == .permanent)
            #expect(error.message.contains("NOT_INITIALIZED"))
        }
    }

    @Test func aDevelopmentKeyHoldsForLaterFetchers() throws {
        let service = ProtectionService(options: .init(prefetches: false))
        service.setDevelopmentKey("development")
        let first = ScriptedTokenFetcher()
        try service.initialize(config: TestConfiguration.make().encoded(), fetcher: first)
        #expect(first.developmentKey == "development")
        let second = ScriptedTokenFetcher()
        let other = try TestConfiguration.make(hosts: ["example.org"])
        try service.initialize(config: other.encoded(), fetcher: second, comment: "reinit")
        #expect(second.developmentKey == "development")
        service.setDevelopmentKey(nil)
        #expect(second.developmentKey == nil)
    }
}

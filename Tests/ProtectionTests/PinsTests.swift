import HTTPMessages
import Protection
import ProtectionTesting
import Testing

@Suite("Pins of the service") struct PinsTests {
    struct Skipping: ServiceMutator {
        func shouldPin(_ request: HTTPRequest) throws -> PinningDecision {
            request.target.path == "/open" ? .skip : .pin
        }
    }

    private func request(_ path: String = "/") throws -> HTTPRequest {
        try HTTPRequest(url: "https://example.com" + path)
    }

    @Test func aRequestCarriesThePinsOfTheConfiguration() async throws {
        let service = try TestConfiguration.service(ScriptedTokenFetcher(tokens: [.token("one")]))
        let sent = try await service.protect(request())
        #expect(sent.options.isPinned && sent.options.pins?.pins(for: "example.com") != nil)
        #expect(service.pins == sent.options.pins)
        var own = try request()
        own.options.pins = PinningPolicy()
        #expect(try await service.protect(own).options.pins == PinningPolicy())
    }

    @Test func theAppsOwnPinsComeFirst() async throws {
        let service = try TestConfiguration.service(ScriptedTokenFetcher(tokens: [.token("one")]))
        let configured = service.pins
        let own = PinningPolicy(others: PinSet([]))
        service.setPins(own)
        #expect(try await service.protect(request()).options.pins == own)
        service.setPins(nil)
        #expect(service.pins == configured)
        service.setPins(own)
        try service.initialize(config: TestConfiguration.make(account: "other").encoded(), comment: "reinit")
        #expect(service.pins == configured)
    }

    @Test func requestsThatAreIgnoredArePinnedToo() async throws {
        let service = try TestConfiguration.service(ScriptedTokenFetcher())
        try service.addExclusionURLRegex("example")
        let update = await service.updateRequest(try request())
        #expect(update.decision == .ignore && update.request.options.pins == service.pins)
    }

    @Test func theMutatorDecides() async throws {
        let service = try TestConfiguration.service(ScriptedTokenFetcher(tokens: [.token("one")]))
        service.setServiceMutator(Skipping())
        #expect(try await !service.protect(request("/open")).options.isPinned)
        #expect(try await service.protect(request()).options.isPinned)
    }

    @Test(arguments: [true, false]) func theMutatorDecidesWithoutAConfigurationToo(
        isInitialized: Bool
    ) async throws {
        let service = ProtectionService(options: .init(prefetches: false))
        service.setLoggingLevel(.off)
        if isInitialized { try service.initialize(config: "") }
        service.setServiceMutator(Skipping())
        #expect(try await !service.protect(request("/open")).options.isPinned)
        #expect(try await service.protect(request()).options.isPinned)
    }

    @Test func aRequestMayBeExemptedByItsSender() async throws {
        let service = try TestConfiguration.service(ScriptedTokenFetcher(tokens: [.token("one")]))
        var exempted = try request()
        exempted.options.isPinned = false
        #expect(try await !service.protect(exempted).options.isPinned)
        service.setServiceMutator(Skipping())
        #expect(try await service.protect(exempted).options.isPinned)
    }

    /// Another part of the app may start the service too.
    @Test func theSameConfigurationAgainLeavesThePins() async throws {
        let service = ProtectionService(options: .init(prefetches: false))
        service.setLoggingLevel(.off)
        let own = PinningPolicy(others: PinSet([]))
        service.setPins(own)
        for _ in 0..<2 { try service.initialize(config: "") }
        #expect(service.pins == own)
        try service.setTokenHeader("X-Token")
        try service.initialize(config: "")
        #expect(service.tokenHeader.name == "X-Token")
        let line = try TestConfiguration.make().encoded()
        for _ in 0..<2 { try service.initialize(config: line, fetcher: ScriptedTokenFetcher()) }
        #expect(service.pins == own)
    }

    @Test func withoutAConfigurationThePinsAreTheSessions() async throws {
        let service = ProtectionService(options: .init(prefetches: false))
        service.setLoggingLevel(.off)
        try service.initialize(config: "")
        #expect(try await service.protect(request()).options.pins == nil)
    }

    @Test(arguments: [true, false]) func theAppsOwnPinsNeedNoConfiguration(isInitialized: Bool) async throws {
        let service = ProtectionService(options: .init(prefetches: false))
        service.setLoggingLevel(.off)
        if isInitialized { try service.initialize(config: "") }
        let own = PinningPolicy(others: PinSet([]))
        service.setPins(own)
        let update = await service.updateRequest(try request())
        #expect(update.decision == .ignore && update.request.options.pins == own)
        #expect(update.request.options.isPinned)
        // Those of one request count before them, as with a configuration.
        var single = try request()
        single.options.pins = PinningPolicy()
        #expect(try await service.protect(single).options.pins == PinningPolicy())
        service.setPins(nil)
        #expect(try await service.protect(request()).options.pins == nil)
    }
}

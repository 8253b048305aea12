import Cryptography
import HTTPMessages
import Protection
import ProtectionTesting
import Testing

@Suite("Settings") struct SettingsTests {
    private func refusal(_ body: () throws -> Void) throws -> ProtectionError {
        let error = try #require(throws: ProtectionError.self) { try body() }
        #expect(error.code == .configuration)
        return error
    }

    @Test func bindingStylesDoNotMix() throws {
        let service = try TestConfiguration.service(ScriptedTokenFetcher())
        try service.setBindingHeaders(["Authorization"])
        _ = try refusal { try service.setDataHashInToken([1]) }
        try service.setBindingHeaders([])
        try service.setDataHashInToken([1])
        _ = try refusal { try service.setBindingHeaders(["Authorization"]) }
        #expect(service.bindingHeaders.isEmpty)
        try service.setDataHashInToken(nil)
        try service.setBindingHeaders(["Authorization", "X-Session"])
        #expect(service.bindingHeaders == ["authorization", "x-session"])
    }

    @Test func aTokenIsNotBoundToItsOwnField() throws {
        let service = try TestConfiguration.service(ScriptedTokenFetcher())
        try service.setTokenHeader("Authorization", prefix: "Bearer ")
        _ = try refusal { try service.setBindingHeaders(["authorization"]) }
        try service.setTokenHeader("Protection-Token")
        try service.setBindingHeaders(["Authorization"])
        _ = try refusal { try service.setTokenHeader("Authorization", prefix: "Bearer ") }
    }

    @Test(arguments: ["a\r\nb", " a", "\0"]) func prefixesAreChecked(prefix: String) throws {
        let service = try TestConfiguration.service(ScriptedTokenFetcher())
        #expect(try refusal { try service.setTokenHeader("X-Token", prefix: prefix) }.underlying != nil)
        #expect(try refusal { try service.addSubstitutionHeader("X-Key", prefix: prefix) }.underlying != nil)
        #expect(service.tokenHeader.name == "Protection-Token" && service.substitutionHeaders.isEmpty)
    }

    @Test(arguments: ["(", "[a", "*"]) func aBadPatternIsAnError(pattern: String) throws {
        let service = try TestConfiguration.service(ScriptedTokenFetcher())
        #expect(try refusal { try service.addExclusionURLRegex(pattern) }.underlying != nil)
        #expect(service.exclusionURLRegexes.isEmpty)
    }

    @Test func whatIsAddedIsRemoved() throws {
        let service = try TestConfiguration.service(ScriptedTokenFetcher())
        try service.addSubstitutionHeader("Api-Key", prefix: "Key ")
        try service.addSubstitutionHeader("api-key", prefix: "Other ")
        #expect(service.substitutionHeaders == ["Api-Key": "Other "])
        service.removeSubstitutionHeader("API-KEY")
        service.addSubstitutionQueryParameter("key")
        service.addSubstitutionQueryParameter("key")
        #expect(service.substitutionQueryParameters == ["key"])
        service.removeSubstitutionQueryParameter("key")
        try service.addExclusionURLRegex("/health$")
        try service.addExclusionURLRegex("/health$")
        #expect(service.exclusionURLRegexes == ["/health$"])
        service.removeExclusionURLRegex("/health$")
        #expect(service.substitutionHeaders.isEmpty && service.substitutionQueryParameters.isEmpty)
        #expect(service.exclusionURLRegexes.isEmpty)
    }

    @Test func dataIsBoundWithoutAField() async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [.token("one")])
        let service = try TestConfiguration.service(fetcher)
        try service.setDataHashInToken(Array("session-1".utf8))
        _ = await service.updateRequest(try HTTPRequest(url: "https://example.com/"))
        _ = try await service.fetchToken(for: "https://example.com/")
        let hash = try HashAlgorithm.sha256.hash(Array("session-1".utf8))
        #expect(fetcher.tokenRequests.map(\.dataHash) == [hash, hash])
    }

    @Test func severalBindingFieldsAreJoined() async throws {
        let fetcher = ScriptedTokenFetcher(tokens: [.token("one")])
        let service = try TestConfiguration.service(fetcher)
        try service.setBindingHeaders(["Authorization", "X-Device"])
        var request = try HTTPRequest(url: "https://example.com/")
        try request.fields.set("my-device-id", for: "X-Device")
        try request.fields.set("Bearer myauth_token", for: .authorization)
        _ = await service.updateRequest(request)
        // The published vector for "Bearer myauth_token" and "my-device-id".
        #expect(
            fetcher.tokenRequests.first?.dataHash
                == (try HashAlgorithm.sha256.hash(Array("Bearer myauth_tokenmy-device-id".utf8)))
        )
    }
}

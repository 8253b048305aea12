import Cryptography
import Encodings
import HTTPMessages
import Protection
import ProtectionTesting
import TestSupport
import TestVectors
import Testing

/// Whole requests through the service, as the public data scripts them.
@Suite(.enabled(if: ConformanceData.isPresent, Comment(rawValue: ConformanceData.absence)))
struct RequestUpdateTests {
    static let cases = ServiceVectors.load("cases")

    @Test func allAreThere() { #expect(Self.cases.count == 38) }

    @Test(arguments: cases) func updates(vector: ServiceVectors.Case) async throws {
        let fetcher = ScriptedTokenFetcher(
            tokens: try (vector.json["tokens"]?.array ?? []).map {
                .init(try ServiceVectors.result(($0.object ?? JSONObject()).object("result")))
            }
        )
        for value in vector.json["secure_strings"]?.array ?? [] {
            let json = value.object ?? JSONObject()
            let result = try ServiceVectors.result(json.object("result"))
            fetcher.setSecureString(try #require(json["key"]?.string), [.init(result)])
        }
        let service = try Self.service(vector.json.object("setup"), fetcher)
        service.setServiceMutator(ScriptedMutator(script: vector.json.object("mutator")))
        let input = vector.json.object("request")
        let request = try HTTPRequest(
            url: try #require(input["url"]?.string),
            fields: Self.fields(input.texts("headers"))
        )
        let update = await service.updateRequest(
            request,
            sessionFields: try Self.fields(input.texts("session_headers"))
        )
        try await Self.check(update, vector.json.object("expect"), request, service, fetcher)
    }

    private static func service(
        _ setup: JSONObject,
        _ fetcher: ScriptedTokenFetcher
    ) throws -> ProtectionService {
        let service = ProtectionService(
            options: .init(time: ManualTime().source, prefetches: false, random: { 0.5 })
        )
        service.setLoggingLevel(.off)
        switch setup["config"]?.string {
        case "full": try service.initialize(config: TestConfiguration.make().encoded(), fetcher: fetcher)
        case "": try service.initialize(config: "")
        default: return service
        }
        if let prefix = setup["token_prefix"]?.string {
            try service.setTokenHeader(service.tokenHeader.name, prefix: prefix)
        }
        if let name = setup["binding_header"]?.string {
            try service.setBindingHeaders([HTTPField.Name(name)])
        }
        for (name, prefix) in setup.texts("substitution_headers") {
            try service.addSubstitutionHeader(HTTPField.Name(name), prefix: prefix)
        }
        for name in setup["substitution_query_params"]?.array ?? [] {
            service.addSubstitutionQueryParameter(try #require(name.string))
        }
        for pattern in setup["exclusion_regexes"]?.array ?? [] {
            try service.addExclusionURLRegex(try #require(pattern.string))
        }
        if setup["use_status_if_no_token"]?.bool == true { service.setUsesStatusIfNoToken(true) }
        if setup["trace_header"] == .null { service.setTraceIDHeader(nil) }
        return service
    }

    private static func fields(_ texts: [(name: String, value: String)]) throws -> HTTPFields {
        HTTPFields(try texts.map { try HTTPField(HTTPField.Name($0.name), $0.value) })
    }

    private static func name(_ text: String) throws -> HTTPField.Name {
        switch text {
        case "<token-header>": "Protection-Token"
        case "<trace-header>": "Protection-TraceID"
        default: try HTTPField.Name(text)
        }
    }

    private static func check(
        _ update: RequestUpdate,
        _ expected: JSONObject,
        _ request: HTTPRequest,
        _ service: ProtectionService,
        _ fetcher: ScriptedTokenFetcher
    ) async throws {
        #expect("\(update.decision)" == expected["decision"]?.string)
        let error = update.error as? ProtectionError
        #expect(error?.code.description == expected["error"]?.string)
        #expect(update.error == nil || update.request == request)
        if let arc = expected["arc"]?.string { #expect(error?.arc == arc) }
        if let reasons = expected["rejection_reasons"]?.string { #expect(error?.rejectionReasons == reasons) }
        if let url = expected["url"]?.string { #expect(update.request.target.absoluteString == url) }
        if let part = expected["url_contains"]?.string {
            #expect(update.request.target.absoluteString.contains(part))
        }
        for (name, value) in expected.texts("headers") {
            #expect(update.request.fields[values: try Self.name(name)] == [value])
        }
        for name in expected["absent_headers"]?.array ?? [] {
            #expect(!update.request.fields.contains(try Self.name(try #require(name.string))))
        }
        if let inputs = expected["data_hash_inputs"]?.array {
            let hashes = try inputs.map { try HashAlgorithm.sha256.hash(Array(($0.string ?? "").utf8)) }
            #expect(fetcher.tokenRequests.map(\.dataHash) == hashes)
        }
        if expected["token_fetches"]?.array?.isEmpty == true { #expect(fetcher.tokenRequests.isEmpty) }
        if expected["secure_string_fetches"]?.array?.isEmpty == true {
            #expect(fetcher.secureStringRequests.isEmpty)
        }
        if let count = expected["config_refreshes"]?.integer {
            try await eventually { fetcher.refreshes == Int(count) }
        }
        if let mutations = expected["mutations"]?.object { try check(update.mutations, mutations) }
    }

    private static func check(_ mutations: RequestMutations, _ expected: JSONObject) throws {
        #expect(mutations.tokenHeader == (try expected["token_header"]?.string.map(name)))
        #expect(mutations.traceIDHeader == (try expected["trace_id_header"]?.string.map(name)))
        let headers = try expected["substituted_headers"]?.array?.map { try name($0.string ?? "") }
        #expect(mutations.substitutedHeaders == headers ?? [])
        let parameters = expected["substituted_query_params"]?.array?.map(\.string)
        #expect(mutations.substitutedQueryParameters == parameters ?? [])
        #expect(mutations.originalTarget.absoluteString == expected["original_url"]?.string)
    }
}

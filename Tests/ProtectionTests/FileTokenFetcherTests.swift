import Cryptography
import Encodings
import FoundationEssentials
import Glibc
import HTTPMessages
import JSONWebTokens
import Protection
import ProtectionTesting
import TestSupport
import Testing

extension TemporaryFolder {
    /// Replaces a file by renaming, as agents do.
    fileprivate func replace(_ name: String, _ text: String, mode: mode_t = 0o600) throws {
        let new = try write("\(name).new", text, mode: mode)
        unsafe rename(new, self[name])
    }
}

@Suite("File token fetcher") struct FileTokenFetcherTests {
    private let directory: TemporaryFolder
    private let time = ManualTime()
    private let fetcher: FileTokenFetcher
    private let request: TokenRequest

    init() throws {
        directory = try TemporaryFolder()
        fetcher = FileTokenFetcher(path: directory.path + "/token", time: time.source)
        request = TokenRequest(url: try RequestTarget("https://example.com/"))
    }

    private func jwt(_ claims: [(String, JSONValue)] = [], life: Int64 = 300) throws -> String {
        let secret = SecretBytes([UInt8](repeating: 1, count: 32))
        var payload = TokenClaims()
        payload.expiration = Int64(time.date.timeIntervalSince1970) + life
        for (name, value) in claims { payload[name] = value }
        return try TokenSigner(key: JSONWebKey(secret, algorithm: .hs256)).sign(payload)
    }

    @Test func itIsReadAgainWhenItIsReplaced() async throws {
        let one = try jwt([("n", 1)])
        let two = try jwt([("n", 2)])
        try directory.replace("token", one + "\n")
        let first = await fetcher.fetchToken(request)
        #expect(first.status == .success && first.token == one)
        #expect(first.expiresAt == time.date + 300)
        #expect(first.loggableToken?.contains(#""n":1"#) == true)
        try directory.replace("token", two)
        #expect(await fetcher.fetchToken(request).token == two)
    }

    @Test func aSwappedLinkIsFollowed() async throws {
        for name in ["v1", "v2"] {
            try FileManager.default.createDirectory(
                atPath: "\(directory.path)/\(name)",
                withIntermediateDirectories: true
            )
            try directory.replace("\(name)/token", name)
        }
        let data = "\(directory.path)/..data"
        unsafe symlink("v1", data)
        unsafe symlink("..data/token", "\(directory.path)/token")
        #expect(await fetcher.fetchToken(request).token == "v1")
        unsafe symlink("v2", data + "_tmp")
        unsafe rename(data + "_tmp", data)
        #expect(await fetcher.fetchToken(request).token == "v2")
    }

    @Test func itsOwnEndDecides() async throws {
        try directory.replace("token", try jwt())
        #expect(await fetcher.fetchToken(request).status == .success)
        time.advance(by: .seconds(300))
        let ended = await fetcher.fetchToken(request)
        #expect(ended.status == .noAttestationService && ended.detail?.contains("ended") == true)
    }

    @Test func aVanishedFileServesUntilTheTokenEnds() async throws {
        let token = try jwt()
        try directory.replace("token", token)
        _ = await fetcher.fetchToken(request)
        unsafe unlink(directory.path + "/token")
        #expect(await fetcher.fetchToken(request).token == token)
        time.advance(by: .seconds(301))
        #expect(await fetcher.fetchToken(request).status == .noAttestationService)
    }

    @Test func aDamagedRewriteServesTheLastGoodToken() async throws {
        let token = try jwt()
        try directory.replace("token", token)
        _ = await fetcher.fetchToken(request)
        try directory.replace("token", String(token.dropLast(60)) + "\n\n")
        #expect(await fetcher.fetchToken(request).token == token)
        let next = try jwt([("n", 2)])
        try directory.replace("token", next)
        #expect(await fetcher.fetchToken(request).token == next)
    }

    @Test func everyoneMayWriteMeansNoOneIsBelieved() async throws {
        try directory.replace("token", try jwt(), mode: 0o602)
        let result = await fetcher.fetchToken(request)
        #expect(result.status == .internalError && result.token.isEmpty)
        #expect(result.detail?.contains("every user") == true)
        try directory.replace("token", "opaque-token", mode: 0o640)
        #expect(await fetcher.fetchToken(request).token == "opaque-token")
    }

    @Test(arguments: [
        ("", "empty"), ("\n", "empty"), (#"{"token":"wrapped"}"#, "JSON"), ("a b", "visible ASCII"),
        ("a\nb", "visible ASCII"), ("eyJ.not-a-token", "damaged"), ("tokén", "visible ASCII"),
    ])
    func somethingElseIsNoToken(content: String, reason: String) async throws {
        try directory.replace("token", content)
        let result = await fetcher.fetchToken(request)
        #expect(result.status == .internalError && result.token.isEmpty)
        #expect(result.detail?.contains(reason) == true)
    }

    @Test func filesThatCannotBeReadSaySo() async throws {
        #expect(await fetcher.fetchToken(request).status == .noAttestationService)
        try directory.replace("token", String(repeating: "a", count: 100_000))
        #expect(await fetcher.fetchToken(request).detail?.contains("too large") == true)
        let folder = FileTokenFetcher(path: directory.path)
        #expect(await folder.fetchToken(request).status == .internalError)
    }

    @Test func aFifoDoesNotBlock() async throws {
        unsafe mkfifo(directory.path + "/fifo", 0o600)
        let fifo = FileTokenFetcher(path: directory.path + "/fifo")
        #expect(await fifo.fetchToken(request).status == .internalError)
    }

    @Test func aBindingMustBeInTheToken() async throws {
        let hash = [UInt8](repeating: 5, count: 32)
        let bound = TokenRequest(url: request.url, dataHash: hash)
        try directory.replace("token", try jwt())
        #expect(await fetcher.fetchToken(bound).status == .disabled)
        try directory.replace("token", try jwt([("pay", .string(Base64.standard.encode(hash)))]))
        #expect(await fetcher.fetchToken(bound).status == .success)
        #expect(await fetcher.fetchToken(request).status == .success)
    }

    @Test func theServiceAsksForEachRequest() async throws {
        let service = ProtectionService(options: .init(time: time.source))
        service.setLoggingLevel(.off)
        try service.initialize(config: TestConfiguration.make().encoded(), fetcher: fetcher)
        for token in ["one", "two"] {
            try directory.replace("token", token)
            let update = await service.updateRequest(try HTTPRequest(url: "https://example.com/"))
            #expect(update.request.fields["Protection-Token"] == token)
        }
        for call: @Sendable () async throws -> Void in [
            { _ = try await service.fetchSecureString("key") },
            { _ = try await service.fetchCustomJWT(payload: "{}") },
        ] {
            let error = try await #require(throws: ProtectionError.self) { try await call() }
            #expect(error.message.contains("DISABLED"))
        }
    }
}

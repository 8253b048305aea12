import AWSSigning
import Cryptography
import FoundationEssentials
import HTTPMessages
import Testing

/// Every code that signing itself can throw.
@Suite("Refusals") struct FaultTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: AWSSigningError.Code
        let run: @Sendable () throws -> Void

        init(_ name: String, _ code: AWSSigningError.Code, _ run: @escaping @Sendable () throws -> Void) {
            testDescription = name
            self.code = code
            self.run = run
        }
    }

    private static func sign(
        _ url: String = "https://example.com/k",
        _ fields: [(String, String)] = [],
        profile: ServiceProfile? = nil,
        scheme: SignatureScheme = .hmac,
        payload: Payload = .body,
        at date: Date = Example.date
    ) throws {
        _ = try RequestSigner(try profile ?? .s3(region: "us-east-1"), scheme: scheme).sign(
            HTTPRequest(.put, url, fields),
            with: Example.credentials(),
            payload: payload,
            at: date
        )
    }

    private static func presign(
        _ url: String = "https://example.com/k",
        expiresIn: Duration = .seconds(60),
        payload: Payload? = nil
    ) throws {
        _ = try Example.s3Signer().presign(
            HTTPRequest(.get, url),
            with: Example.credentials(),
            expiresIn: expiresIn,
            payload: payload
        )
    }

    private static func post(_ conditions: [PostPolicy.Condition], seconds: Double = 60) throws {
        _ = try Example.s3Signer().sign(
            PostPolicy(expiration: Example.date.addingTimeInterval(seconds), conditions: conditions),
            with: Example.credentials()
        )
    }

    private static func chunks(
        _ payload: Payload,
        _ body: (inout ChunkSigner) throws -> Void
    ) throws {
        let signed = try Example.s3Signer().sign(
            HTTPRequest(.put, "https://example.com/k"),
            with: Example.credentials(),
            payload: payload
        )
        var signer = try ChunkSigner(signed)
        try body(&signer)
    }

    static let bucket: [PostPolicy.Condition] = [
        .equals(field: "bucket", value: "b"), .startsWith(field: "key", prefix: "u/"),
    ]

    static let profiles: [Refusal] = [
        .init("no region", .invalidRegion) { _ = try ServiceProfile(service: "s3", region: "") },
        .init("no region of S3", .invalidRegion) { _ = try ServiceProfile.s3(region: "") },
        .init("a slash in the region", .invalidRegion) { _ = try ServiceProfile.s3(region: "a/b") },
        .init("a line break in the region", .invalidRegion) { _ = try ServiceProfile.s3(region: "a\n") },
        .init("a region outside ASCII", .invalidRegion) { _ = try ServiceProfile.s3(region: "\u{E9}") },
        .init("no service", .invalidService) { _ = try ServiceProfile(service: "", region: "r") },
        .init("a blank in the service", .invalidService) {
            _ = try ServiceProfile(service: "a b", region: "r")
        },
        .init("no regions", .invalidRegion) { _ = try SignatureScheme.ecdsa(regions: []) },
        .init("an empty region", .invalidRegion) { _ = try SignatureScheme.ecdsa(regions: ["a", ""]) },
        .init("a comma in a region", .invalidRegion) { _ = try SignatureScheme.ecdsa(regions: ["a,b"]) },
        .init("no access key", .invalidCredentials) { _ = try Example.credentials("") },
        .init("a slash in the access key", .invalidCredentials) { _ = try Example.credentials("a/b") },
        .init("a comma in the access key", .invalidCredentials) { _ = try Example.credentials("a,b") },
        .init("a line break in the access key", .invalidCredentials) {
            _ = try Example.credentials("a\r\nb")
        },
        .init("an access key outside ASCII", .invalidCredentials) { _ = try Example.credentials("\u{E9}") },
        .init("no secret", .invalidCredentials) { _ = try Example.credentials(secret: "") },
        .init("a secret with its line end", .invalidCredentials) {
            _ = try Example.credentials(secret: "a\n")
        },
        .init("a secret with a blank", .invalidCredentials) { _ = try Example.credentials(secret: " a") },
        .init("an empty token", .invalidCredentials) { _ = try Example.credentials(token: "") },
        .init("a token with a line break", .invalidCredentials) {
            _ = try Example.credentials(token: "a\nb")
        },
    ]

    static let requests: [Refusal] = [
        .init("credentials that have ended", .credentialsExpired) {
            _ = try Example.s3Signer().sign(
                HTTPRequest(.get, "https://example.com/"),
                with: Example.credentials(expiration: Example.date)
            )
        },
        .init("a date before 1970", .invalidDate) { try sign(at: Date(timeIntervalSince1970: -1)) },
        .init("a date after 9999", .invalidDate) {
            try sign(at: Date(timeIntervalSince1970: 253_402_300_800))
        },
        .init("no date", .invalidDate) { try sign(at: Date(timeIntervalSince1970: .nan)) },
        .init("0 s", .invalidExpiration) { try presign(expiresIn: .zero) },
        .init("-1 s", .invalidExpiration) { try presign(expiresIn: .seconds(-1)) },
        .init("604,801 s", .invalidExpiration) { try presign(expiresIn: .seconds(604_801)) },
        .init("half a second", .invalidExpiration) { try presign(expiresIn: .milliseconds(1_500)) },
        .init("a field outside ASCII", .invalidField) {
            try sign("https://example.com/", [("x-amz-meta-a", "\u{E9}")])
        },
        .init("another host", .conflictingField) {
            try sign("https://example.com/", [("Host", "other.com")])
        },
        .init("the host with its own port", .conflictingField) {
            try sign("https://example.com/", [("Host", "example.com:443")])
        },
        .init("another scheme of authorization", .conflictingField) {
            try sign("https://example.com/", [("Authorization", "Bearer x")])
        },
        .init("a bare plus", .ambiguousQuery) { try sign("https://example.com/?prefix=a+b") },
        .init("a bare plus, presigned", .ambiguousQuery) { try presign("https://example.com/?prefix=a+b") },
        .init("signed twice", .alreadySigned) { try presign("https://example.com/?X-Amz-Signature=00") },
        .init("signed with another spelling", .alreadySigned) {
            try sign("https://example.com/?X%2DAmz-Date=1")
        },
        .init("a digest that is too short", .invalidPayload) { try sign(payload: .digest([1, 2])) },
        .init("chunks of negative length", .invalidPayload) { try sign(payload: .signedChunks(length: -1)) },
        .init("a trailer twice", .invalidPayload) {
            try sign(payload: .signedChunks(length: 1, trailers: ["a", "A"]))
        },
        .init("chunks for R2", .unsupportedPayload) {
            try sign(profile: .r2, payload: .signedChunks(length: 1))
        },
        .init("chunks with trailers for R2", .unsupportedPayload) {
            try sign(profile: .r2, payload: .signedChunks(length: 1, trailers: ["x-amz-checksum-crc32"]))
        },
        .init("unsigned chunks for R2", .unsupportedPayload) {
            try sign(profile: .r2, payload: .unsignedChunks(length: 1, trailers: ["x-amz-checksum-crc32"]))
        },
        .init("chunks for another service", .unsupportedPayload) {
            try sign(profile: ServiceProfile(service: "iam", region: "r"), payload: .signedChunks(length: 1))
        },
        .init("chunks with SigV4a", .unsupportedPayload) {
            try sign(scheme: .ecdsa(regions: ["*"]), payload: .signedChunks(length: 1))
        },
        .init("unsigned chunks without a checksum", .unsupportedPayload) {
            try sign(payload: .unsignedChunks(length: 1, trailers: []))
        },
        .init("chunks, presigned", .unsupportedPayload) { try presign(payload: .signedChunks(length: 1)) },
        .init("another length of the content", .conflictingField) {
            try sign(
                "https://example.com/",
                [("X-Amz-Decoded-Content-Length", "2")],
                payload: .signedChunks(length: 1)
            )
        },
    ]

    static let forms: [Refusal] = [
        .init("a policy without bucket", .invalidPolicy) { try post([.equals(field: "key", value: "k")]) },
        .init("a policy without key", .invalidPolicy) { try post([.equals(field: "bucket", value: "b")]) },
        .init("a policy with a field of the signature", .invalidPolicy) {
            try post(bucket + [.equals(field: "X-Amz-Date", value: "x")])
        },
        .init("a policy of negative length", .invalidPolicy) { try post(bucket + [.contentLength(-1...1)]) },
        .init("a policy that has ended", .invalidExpiration) { try post(bucket, seconds: 0) },
        .init("a policy for more than a week", .invalidExpiration) { try post(bucket, seconds: 604_801) },
        .init("a policy of SigV4a", .unsupportedPayload) {
            _ = try RequestSigner(.r2, scheme: .ecdsa(regions: ["*"])).sign(
                policyDocument: [],
                with: Example.credentials()
            )
        },
        .init("no chunks announced", .unsupportedPayload) { try chunks(.body) { _ in } },
        .init("too much content", .chunkMismatch) {
            try chunks(.signedChunks(length: 1)) { _ = try $0.chunk([1, 2]) }
        },
        .init("too little content", .chunkMismatch) {
            try chunks(.signedChunks(length: 1)) { _ = try $0.finish() }
        },
        .init("content after the end", .chunkMismatch) {
            try chunks(.signedChunks(length: 0)) {
                _ = try $0.finish()
                _ = try $0.chunk([1])
            }
        },
        .init("a second end", .chunkMismatch) {
            try chunks(.signedChunks(length: 0)) {
                _ = try $0.finish()
                _ = try $0.finish()
            }
        },
        .init("trailers that were not announced", .chunkMismatch) {
            try chunks(.signedChunks(length: 0)) {
                _ = try $0.finish(trailers: HTTPFields([HTTPField("a", "b")]))
            }
        },
        .init("trailers that are missing", .chunkMismatch) {
            try chunks(.signedChunks(length: 0, trailers: ["a"])) { _ = try $0.finish() }
        },
        .init("a trailer outside ASCII", .invalidField) {
            try chunks(.signedChunks(length: 0, trailers: ["a"])) {
                _ = try $0.finish(trailers: HTTPFields([HTTPField("a", "\u{E9}")]))
            }
        },
    ]

    @Test(arguments: profiles + requests + forms) func refused(_ refusal: Refusal) throws {
        let error = try #require(throws: AWSSigningError.self) { try refusal.run() }
        #expect(error.code == refusal.code)
        #expect(error.description == "\(error.code): \(error.message)")
        #expect(!error.description.contains(Example.secret))
    }

    @Test(arguments: [1, 604_800]) func theEndsOfTheRange(seconds: Int) throws {
        try Self.presign(expiresIn: .seconds(seconds))
    }

    @Test func aDateInItsLastSecond() throws {
        let signed = try Example.s3Signer(at: Date(timeIntervalSince1970: 253_402_300_799.9)).sign(
            HTTPRequest(.get, "https://example.com/"),
            with: Example.credentials()
        )
        #expect(signed.request["X-Amz-Date"] == "99991231T235959Z")
    }

    @Test(
        arguments: [
            (0, "19700101T000000Z"), (951_782_399, "20000228T235959Z"), (951_782_400, "20000229T000000Z"),
            (4_107_542_399, "21000228T235959Z"), (4_107_542_400, "21000301T000000Z"),
            (1_735_689_599, "20241231T235959Z"), (1_709_164_800, "20240229T000000Z"),
        ] as [(Double, String)]
    )
    func datesAreOfTheGregorianCalendar(seconds: Double, expected: String) throws {
        let signed = try Example.s3Signer(at: Date(timeIntervalSince1970: seconds)).sign(
            HTTPRequest(.get, "https://example.com/"),
            with: Example.credentials()
        )
        #expect(signed.request["X-Amz-Date"] == expected)
        #expect(signed.stringToSign.scope.hasPrefix(expected.prefix(8)))
    }
}

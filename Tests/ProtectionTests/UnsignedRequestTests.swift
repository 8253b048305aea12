import HTTPMessages
import Protection
import ProtectionTesting
import Testing

@Suite("Requests that cannot be signed") struct UnsignedRequestTests {
    /// An error of somebody else, which says more than it should.
    struct ForeignError: Error, CustomStringConvertible {
        var description: String { "SECRET" }
    }

    struct BrokenKeys: SigningKeyHolder {
        func installationSignature(of message: [UInt8], publicKey: [UInt8]?) async throws -> [UInt8] {
            throw ForeignError()
        }

        func accountSignature(of message: [UInt8], keyIdentifier: String?) async throws -> [UInt8] {
            throw ForeignError()
        }
    }

    private let sink = RecordingLogSink()

    private func service(
        wrapping wrapped: any ServiceMutator = MessageSigningTests.Lenient(),
        _ change: (inout SignatureParametersFactory) -> Void = { _ in }
    ) throws -> ProtectionService {
        var factory = SignatureParametersFactory()
        change(&factory)
        let service = try TestConfiguration.service(ScriptedTokenFetcher(tokens: [.token("one")]))
        service.setLoggingLevel(.debug)
        service.setLogSink(sink)
        service.setServiceMutator(
            MessageSigningMutator(keys: BrokenKeys(), wrapping: wrapped, factory: factory)
        )
        return service
    }

    /// Two pieces, and then the end or an error.
    private func request(failingWith error: (any Error)? = nil) throws -> HTTPRequest {
        let (pieces, producer) = AsyncThrowingStream.makeStream(of: [UInt8].self)
        producer.yield(Array("con".utf8))
        producer.yield(Array("tent".utf8))
        producer.finish(throwing: error)
        return try HTTPRequest(
            method: .post,
            url: "https://example.com/",
            body: HTTPBody(HTTPBodyStream(pieces))
        )
    }

    private func content(_ request: HTTPRequest) async throws -> [UInt8]? {
        guard case .stream(let stream) = request.body?.content else { return request.body?.bytes }
        return try await stream.collect(upTo: 100)
    }

    @Test(arguments: [SignatureParametersFactory.BodyDigest.none, .ifPresent, .required])
    func aStreamThatGoesUnsignedIsWhole(digest: SignatureParametersFactory.BodyDigest) async throws {
        let sent = try await service { $0.bodyDigest = digest }.protect(request())
        #expect(!sent.fields.contains("Signature") && !sent.fields.contains("Content-Digest"))
        #expect(try await content(sent) == Array("content".utf8))
    }

    @Test func aStreamOverTheLimitIsNotSentUnsigned() async throws {
        let update = try await service { $0.maximumStreamLength = 6 }.updateRequest(request())
        let error = try #require(update.error as? ProtectionError)
        #expect(update.decision == .fail && error.code == .permanent && error.underlying == nil)
    }

    @Test func aStreamThatFailsIsNotSentUnsigned() async throws {
        let update = try await service().updateRequest(request(failingWith: ForeignError()))
        let error = try #require(update.error as? ProtectionError)
        #expect(update.decision == .fail && error.code == .permanent && error.underlying is ForeignError)
        let cancelled = try await service().updateRequest(request(failingWith: CancellationError()))
        #expect(cancelled.decision == .fail && cancelled.error is CancellationError)
    }

    @Test(arguments: [true, false]) func aForeignErrorIsNamedByItsTypeAlone(comesFromKey: Bool) async throws {
        let request = try request(failingWith: comesFromKey ? nil : ForeignError())
        let update = try await service(wrapping: DefaultServiceMutator()).updateRequest(request)
        let error = try #require(update.error as? ProtectionError)
        #expect(error.underlying is ForeignError)
        #expect(sink.lines.contains { $0.contains("(ForeignError)") })
        for text in sink.lines + [error.description, String(reflecting: error), update.message] {
            #expect(!text.contains("SECRET"))
        }
    }

    @Test func errorsOfThePackageAreShown() throws {
        let cause = try #require(throws: HTTPMessageError.self) { try HTTPRequest(url: "ftp://a.example/") }
        let inner = ProtectionError(.permanent, "inner", underlying: cause)
        let outer = ProtectionError(.networking, "outer", underlying: inner)
        #expect(outer.description == "networking: outer (permanent: inner (\(cause)))")
        let hidden = ProtectionError(.permanent, "inner", underlying: ForeignError())
        #expect(
            ProtectionError(.permanent, "outer", underlying: hidden).description
                == "permanent: outer (permanent: inner (ForeignError))"
        )
    }
}

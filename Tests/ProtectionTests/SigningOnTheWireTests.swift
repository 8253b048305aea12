import Cryptography
import HTTPInterceptors
import HTTPMessages
import HTTPServing
import HTTPTransport
import Locking
import MessageSignatures
import Protection
import ProtectionTesting
import StructuredFields
import TestSupport
import Testing
import Timing

@Suite("Signatures on the wire") struct SigningOnTheWireTests {
    private let time = ManualTime()
    private let installation: PrivateKey

    init() throws { installation = try PrivateKey.generate(.p256) }

    private func service(
        _ answer: ScriptedTokenFetcher.Answer = .token("opaque"),
        _ change: (inout SignatureParametersFactory) -> Void = { _ in }
    ) throws -> ProtectionService {
        let service = try TestConfiguration.service(
            ScriptedTokenFetcher(tokens: [answer]),
            time: time,
            hosts: ["127.0.0.1", "localhost", "example.com"]
        )
        var factory = SignatureParametersFactory()
        change(&factory)
        service.setServiceMutator(
            MessageSigningMutator(
                keys: try SigningKeys(installation: installation),
                factory: factory,
                time: time.source
            )
        )
        return service
    }

    private func verify(_ request: HTTPRequest) throws -> VerifiedMessage {
        let key = try MessageVerificationKey(installation.publicKey, algorithm: .ecdsaP256SHA256)
        let verifier = MessageVerifier(
            policy: VerificationPolicy(requiredComponents: [.method, .targetURI]),
            now: { [time] in time.source.secondsSince1970 },
            key: { _ in key }
        )
        return try verifier.verify(SignableMessage(request), label: "install")
    }

    /// What is verified is what a server has received.
    @Test(arguments: ["some content", "", nil], [true, false])
    func theLengthThatIsSentIsCovered(content: String?, isOptional: Bool) async throws {
        let received = Mutex<[HTTPRequest]>([])
        let server = try HTTPServer { served in
            received.withLock { $0.append(served.request) }
            return HTTPResponse(status: .ok)
        }
        defer { server.stop() }
        let service = try service {
            guard !isOptional, content != nil else { return }
            $0.optionalHeaders = []
            $0.baseComponents.append(.field(.contentLength))
        }
        let session = try ProtectedSession(service: service)
        let request = try HTTPRequest(
            method: content == nil ? .get : .post,
            url: server.url + "/a",
            body: content.map { HTTPBody($0) }
        )
        #expect(try await session.data(for: request).status == .ok)
        let last = try #require(received.withLock { $0.last })
        let verified = try verify(last)
        let length = content.map { String($0.utf8.count) }
        #expect(verified[.field(.contentLength)] == length)
        #expect(last.fields[values: .contentLength] == (length.map { [$0] } ?? []))
        #expect(verified.isContentVerified == (content != nil))
    }

    @Test(arguments: ["HTTP", "Http"]) func theSpellingOfTheURLDoesNotCount(scheme: String) async throws {
        let received = Mutex<[HTTPRequest]>([])
        let server = try HTTPServer { served in
            received.withLock { $0.append(served.request) }
            return HTTPResponse(status: .ok)
        }
        defer { server.stop() }
        let service = try service { $0.baseComponents = [.method, .targetURI, .authority, .scheme] }
        let session = try ProtectedSession(service: service)
        let request = try HTTPRequest(url: "\(scheme)://LocalHost:\(server.port)/A?B#fragment")
        #expect(try await session.data(for: request).status == .ok)
        let last = try #require(received.withLock { $0.last })
        let verified = try verify(last)
        #expect(verified[.targetURI] == "http://localhost:\(server.port)/A?B")
        #expect(verified[.authority] == "localhost:\(server.port)")
    }

    @Test func theLengthOfAFileIsNotCovered() async throws {
        let folder = try TemporaryFolder()
        let body = HTTPBody(file: try folder.write("content", Array("content".utf8)))
        let sent = try await service().protect(
            HTTPRequest(method: .post, url: "https://example.com/", body: body)
        )
        #expect(!sent.fields.contains(.contentLength))
        #expect(sent.fields["Signature-Input"]?.contains("content-length") == false)
    }

    @Test func aLengthThatIsNotToBeCoveredIsLeftToTheTransport() async throws {
        let sent = try await service { $0.optionalHeaders = [] }.protect(
            HTTPRequest(method: .post, url: "https://example.com/", body: HTTPBody("x"))
        )
        #expect(!sent.fields.contains(.contentLength) && sent.fields.contains("Signature"))
    }

    @Test func eachAttemptHasATimeAndANonceOfItsOwn() async throws {
        let seen = Mutex<[HTTPRequest]>([])
        let transport = ScriptedTransport { [time] request in
            let count = seen.withLock { seen in
                seen.append(request)
                return seen.count
            }
            time.advance(by: .seconds(20))
            return HTTPResponse(status: count < 3 ? .serviceUnavailable : .ok)
        }
        let session = ProtectedSession(
            service: try service { $0.includesNonce = true },
            transport: transport,
            interceptors: [RetryInterceptor(random: { 0 })]
        )
        let response = try await session.data(for: HTTPRequest(url: "https://example.com/"))
        #expect(response.status == .ok)
        let requests = seen.withLock { $0 }
        #expect(requests.count == 3)
        let inputs = requests.compactMap { $0.fields["Signature-Input"] }
        let parameters = try inputs.map {
            try SignatureParameters(#require(FieldDictionary(parsing: $0)["install"]?.innerList).parameters)
        }
        #expect(Set(parameters.compactMap(\.nonce)).count == 3)
        let times = parameters.compactMap(\.created)
        #expect(times.count == 3 && Set(times).count == 3 && times == times.sorted())
        #expect(zip(parameters, times).allSatisfy { $0.expires == $1 + 15 })
    }

    @Test func aStatusInPlaceOfATokenIsNotSigned() async throws {
        let service = try service(.status(.noNetwork))
        service.setServiceMutator(
            MessageSigningMutator(
                keys: try SigningKeys(installation: installation),
                wrapping: Attaching(),
                time: time.source
            )
        )
        service.setUsesStatusIfNoToken(true)
        let sent = try await service.protect(HTTPRequest(url: "https://example.com/"))
        #expect(sent.fields["Protection-Token"] == "NO_NETWORK")
        #expect(!sent.fields.contains("Signature") && !sent.fields.contains("Signature-Input"))
    }

    private struct Attaching: ServiceMutator {
        func interceptorFetchTokenResult(_ result: FetchResult, for url: RequestTarget) -> TokenDecision {
            .attachToken
        }
    }
}

private struct ScriptedTransport: HTTPSession {
    let answer: @Sendable (HTTPRequest) throws -> HTTPResponse

    func data(for request: HTTPRequest) async throws -> HTTPResponse { try answer(request) }
}

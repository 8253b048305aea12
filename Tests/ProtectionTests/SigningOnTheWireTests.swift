import Cryptography
import FoundationEssentials
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
        try service(ScriptedTokenFetcher(tokens: [answer]), change)
    }

    private func service(
        _ fetcher: ScriptedTokenFetcher,
        _ change: (inout SignatureParametersFactory) -> Void
    ) throws -> ProtectionService {
        let service = try TestConfiguration.service(
            fetcher,
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

    /// A token without an end is for one request; one of 10 seconds has ended before the next attempt.
    @Test(arguments: [nil, 10, 3600] as [Double?])
    func eachAttemptHasATokenATimeAndANonceOfItsOwn(life: Double?) async throws {
        let fetcher = ScriptedTokenFetcher(
            tokens: ["one", "two", "three"].map { text -> ScriptedTokenFetcher.Answer in
                let end = life.map { time.date.addingTimeInterval(text == "one" ? $0 : $0 + 60) }
                return .init(FetchResult(status: .success, token: text, expiresAt: end))
            }
        )
        let received = Mutex<[HTTPRequest]>([])
        let server = try HTTPServer { [time] served in
            let count = received.withLock { received in
                received.append(served.request)
                return received.count
            }
            time.advance(by: .seconds(20))
            return HTTPResponse(status: count < 3 ? .serviceUnavailable : .ok)
        }
        defer { server.stop() }
        let session = try ProtectedSession(
            service: service(fetcher) { $0.includesNonce = true },
            interceptors: [RetryInterceptor(random: { 0 })]
        )
        let response = try await session.data(for: HTTPRequest(url: server.url + "/"))
        #expect(response.status == .ok)
        let requests = received.withLock(\.self)
        let tokens = requests.map { $0.fields["Protection-Token"] }
        switch life {
        case nil: #expect(tokens == ["one", "two", "three"])
        // The second of these is still good for the third attempt.
        case 10: #expect(tokens == ["one", "two", "two"])
        default: #expect(tokens == ["one", "one", "one"])
        }
        #expect(fetcher.tokenRequests.count == Set(tokens).count)
        let inputs = requests.compactMap { $0.fields["Signature-Input"] }
        let parameters = try inputs.map {
            try SignatureParameters(#require(FieldDictionary(parsing: $0)["install"]?.innerList).parameters)
        }
        #expect(parameters.count == 3 && Set(parameters.compactMap(\.nonce)).count == 3)
        let times = parameters.compactMap(\.created)
        #expect(times.count == 3 && zip(times, times.dropFirst()).allSatisfy { $1 == $0 + 20 })
        #expect(zip(parameters, times).allSatisfy { $0.expires == $1 + 15 })
        let key = try MessageVerificationKey(installation.publicKey, algorithm: .ecdsaP256SHA256)
        for (request, created) in zip(requests, times) {
            let verifier = MessageVerifier(
                policy: VerificationPolicy(requiredComponents: [.method, .targetURI]),
                now: { created },
                key: { _ in key }
            )
            _ = try verifier.verify(SignableMessage(request), label: "install")
        }
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

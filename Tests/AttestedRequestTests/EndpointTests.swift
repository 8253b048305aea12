import AppAttestation
import AppAttestationClient
import AttestationAuthority
import Encodings
import HTTPMessages
import Locking
import ProtectionTesting
import Testing
import Timing

@Suite("The endpoints of attestations", .timeLimit(.minutes(2))) struct EndpointTests {
    @Test(arguments: AttestationKind.allCases)
    func aKeyIsAttestedAndKept(kind: AttestationKind) async throws {
        let fixture = try Fixture()
        let key = try fixture.provider.generateKey()
        let challenge = try await fixture.challenge(kind)
        // 128 and 256 bits in Base 64.
        #expect(challenge.sessionID.utf8.count == 22 && challenge.nonce.utf8.count == 43)
        #expect(try await fixture.attest(fixture.submission(challenge, key: key), kind) == Answer(204))
        let kept = await fixture.keys.key(try Base64.standard.decode(key))
        #expect(kept?.format == .installationKey)
        #expect(kept?.appID == Fixture.appID && kept?.counter == 0)
    }

    @Test func challengesAreNeverTheSame() async throws {
        let fixture = try Fixture()
        var texts: Set<String> = []
        for _ in 0..<200 {
            let challenge = try await fixture.challenge()
            texts.formUnion([challenge.sessionID, challenge.nonce])
        }
        #expect(texts.count == 400)
    }

    @Test func aSessionIsGoodOnce() async throws {
        let fixture = try Fixture()
        let challenge = try await fixture.challenge()
        #expect(try await fixture.attest(fixture.submission(challenge)) == Answer(204))
        #expect(try await fixture.attest(fixture.submission(challenge)) == Answer(409, "invalidNonce"))
    }

    @Test func aWrongAttestationUsesTheSessionUp() async throws {
        let fixture = try Fixture()
        let challenge = try await fixture.challenge()
        let wrong = IssuedChallenge(sessionID: challenge.sessionID, nonce: "other", kind: .installations)
        #expect(try await fixture.attest(fixture.submission(wrong)) == Answer(403, "invalidSignature"))
        #expect(try await fixture.attest(fixture.submission(challenge)) == Answer(409, "invalidNonce"))
    }

    @Test(arguments: [(59, Answer(204)), (60, Answer(409, "invalidNonce"))])
    func aSessionEnds(seconds: Int, expected: Answer) async throws {
        let fixture = try Fixture()
        let body = try fixture.submission(await fixture.challenge())
        fixture.time.advance(by: .seconds(seconds))
        #expect(try await fixture.attest(body) == expected)
    }

    @Test func aNonceOfAnotherSessionIsRefused() async throws {
        let fixture = try Fixture()
        let (one, other) = try await (fixture.challenge(), fixture.challenge())
        let body = try fixture.submission(one, session: other.sessionID)
        #expect(try await fixture.attest(body) == Answer(403, "invalidSignature"))
        #expect(try await fixture.attest(fixture.submission(one)) == Answer(204))
    }

    @Test(arguments: AttestationKind.allCases)
    func aSessionOfTheOtherKindIsRefused(kind: AttestationKind) async throws {
        let fixture = try Fixture()
        let other: AttestationKind = kind == .apple ? .installations : .apple
        let body = try fixture.submission(await fixture.challenge(kind))
        #expect(try await fixture.attest(body, other) == Answer(403, "wrongSession"))
        #expect(try await fixture.attest(body, kind) == Answer(409, "invalidNonce"))
    }

    @Test func aKeyIsKeptOnce() async throws {
        let fixture = try Fixture()
        let key = try fixture.provider.generateKey()
        let first = try await fixture.submission(fixture.challenge(), key: key)
        let second = try await fixture.submission(fixture.challenge(), key: key)
        #expect(try await fixture.attest(first) == Answer(204))
        #expect(try await fixture.attest(second) == Answer(409, "keyAlreadyBound"))
    }

    @Test(arguments: 0..<5) func ofTwoWithOneSessionOneWins(round: Int) async throws {
        let fixture = try Fixture()
        let challenge = try await fixture.challenge()
        let bodies = try (0..<8).map { _ in try fixture.submission(challenge) }
        let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
            for body in bodies { group.addTask { try await fixture.attest(body) } }
            return try await group.reduce(into: [Answer]()) { $0.append($1) }
        }
        #expect(answers.count { $0 == Answer(204) } == 1)
        #expect(answers.count { $0 == Answer(409, "invalidNonce") } == 7)
    }

    @Test(
        arguments: [
            ("GET", "{}", "application/json", 405, "methodNotAllowed"),
            ("post", "{}", "application/json", 405, "methodNotAllowed"),
            ("POST", "{}", nil, 415, "unsupportedMediaType"),
            ("POST", "{}", "text/plain", 415, "unsupportedMediaType"),
            ("POST", "{}", "application/json5", 415, "unsupportedMediaType"),
            ("POST", "{}", "application/json; charset=utf-16", 415, "unsupportedMediaType"),
            ("POST", "[]", "application/json", 400, "malformedRequest"),
            ("POST", " ", "application/json", 400, "malformedRequest"),
            ("POST", #"{"a":1,"a":1}"#, "application/json", 400, "malformedRequest"),
            ("POST", "{} x", "application/json", 400, "malformedRequest"),
        ] as [(String, String, String?, Int, String)]
    )
    func requestsOutOfFormAreRefused(
        method: String,
        body: String,
        type: String?,
        status: Int,
        code: String
    ) async throws {
        let fixture = try Fixture()
        for path in ["/apple/attest-init", "/apple/attest", "/installations/attest-init"] {
            let request = try Fixture.request(path, body, method: HTTPMethod(method), type: type)
            let response = try #require(await fixture.endpoints.respond(to: request))
            #expect(try Answer(response) == Answer(status, code))
            #expect(response.fields["Allow"] == (status == 405 ? "POST" : nil))
        }
    }

    @Test(arguments: [
        "application/json", "Application/JSON;charset=UTF-8", #"application/json ; charset="utf-8""#,
    ])
    func jsonMayNameItsCharacters(type: String) async throws {
        let fixture = try Fixture()
        let request = try Fixture.request("/apple/attest-init", #"{"more":1}"#, type: type)
        #expect(await fixture.endpoints.respond(to: request)?.status == .ok)
    }

    @Test(
        arguments: [
            "{}", #"{"sessionId":"","keyId":"","attestation":""}"#, #"{"sessionId":"s","keyId":"AA=="}"#,
            #"{"sessionId":1,"keyId":"AA==","attestation":"AA=="}"#,
            #"{"sessionId":"s","keyId":"AA","attestation":"AA=="}"#,
            #"{"sessionId":"s","keyId":"AA==","attestation":"_w=="}"#,
            #"{"sessionId":"s","keyId":"AA==","attestation":"AB=="}"#,
            #"{"sessionId":"\#(String(repeating: "s", count: 129))","keyId":"AA==","attestation":"AA=="}"#,
        ]
    )
    func submissionsOutOfFormAreRefused(body: String) async throws {
        #expect(try await Fixture().attest(body) == Answer(400, "malformedRequest"))
    }

    /// What an app for iOS that knows of no `keyId` sends.
    @Test(arguments: AttestationKind.allCases)
    func aSubmissionMayLeaveTheKeyIdentifierOut(kind: AttestationKind) async throws {
        let fixture = try Fixture()
        let key = try fixture.provider.generateKey()
        let challenge = try await fixture.challenge(kind)
        let body = try fixture.submission(challenge, key: key).replacing(#""keyId":"\#(key)","#, with: "")
        #expect(!body.contains("keyId"))
        #expect(try await fixture.attest(body, kind) == Answer(204))
        #expect(await fixture.keys.key(try Base64.standard.decode(key))?.counter == 0)
    }

    @Test(arguments: [("1", Answer(400, "malformedRequest")), (#""AA==""#, Answer(403, "keyIDMismatch"))])
    func aKeyIdentifierThatIsGivenMustBeRight(value: String, expected: Answer) async throws {
        let fixture = try Fixture()
        let key = try fixture.provider.generateKey()
        let body = try await fixture.submission(fixture.challenge(), key: key)
        #expect(try await fixture.attest(body.replacing(#""\#(key)""#, with: value)) == expected)
    }

    @Test(arguments: [nil, HTTPBody([])], ["application/json", "text/plain", nil])
    func aChallengeNeedsNoContent(body: HTTPBody?, type: String?) async throws {
        let fixture = try Fixture()
        var request = try Fixture.request("/apple/attest-init", type: type)
        request.body = body
        let response = try #require(await fixture.endpoints.respond(to: request))
        #expect(response.status == .ok)
        request.target = try RequestTarget("https://api.example/apple/attest-init?x=1")
        let query = try #require(await fixture.endpoints.respond(to: request))
        #expect(try Answer(query).status >= 400)
        var submission = try Fixture.request("/apple/attest")
        submission.body = nil
        let refused = try #require(await fixture.endpoints.respond(to: submission))
        #expect(try Answer(refused) == Answer(400, "malformedRequest"))
    }

    @Test func anAttestationThatIsNoneHasTheVerifiersCode() async throws {
        let fixture = try Fixture()
        let challenge = try await fixture.challenge()
        let body = #"{"sessionId":"\#(challenge.sessionID)","keyId":"AA==","attestation":"oA=="}"#
        #expect(try await fixture.attest(body) == Answer(403, "malformedObject"))
    }

    @Test func largeContentIsRefused() async throws {
        let fixture = try Fixture()
        let request = try Fixture.request("/apple/attest", String(repeating: " ", count: 65_537))
        let response = try #require(await fixture.endpoints.respond(to: request))
        #expect(try Answer(response) == Answer(413, "contentTooLarge"))
    }

    @Test func contentThatIsNotInMemoryIsRefused() async throws {
        for path in ["/apple/attest-init", "/apple/attest"] {
            var request = try Fixture.request(path)
            request.body = HTTPBody(file: "/dev/null")
            let response = try #require(await Fixture().endpoints.respond(to: request))
            #expect(try Answer(response) == Answer(400, "malformedRequest"))
        }
        let query = try Fixture.request("/apple/attest-init?x=1")
        let response = try #require(await Fixture().endpoints.respond(to: query))
        #expect(try Answer(response) == Answer(400, "malformedRequest"))
    }

    @Test(
        arguments: [
            "/", "/apple/attest/", "/Apple/attest", "/apple/attest-init/x", "/x/apple/attest",
            "/apple/%61ttest",
            "//apple/attest",
        ]
    )
    func otherPathsAreNotAnswered(path: String) async throws {
        let response = await (try Fixture()).endpoints.respond(to: try Fixture.request(path))
        #expect(response == nil)
    }

    @Test func aKindThatIsNotTakenHasNoPath() async throws {
        let endpoints = AttestationEndpoints(
            apple: nil,
            installations: try Fixture.verifier(time: .system),
            keys: InMemoryAttestedKeyStore(),
            pathPrefix: "/v1"
        )
        #expect(await endpoints.respond(to: try Fixture.request("/v1/apple/attest-init")) == nil)
        #expect(await endpoints.respond(to: try Fixture.request("/installations/attest-init")) == nil)
        let response = await endpoints.respond(to: try Fixture.request("/v1/installations/attest-init"))
        #expect(response?.status == .ok)
    }

    @Test func brokenStoresAreTrouble() async throws {
        let withoutChallenges = try Fixture(challenges: BrokenStore())
        let request = try Fixture.request("/installations/attest-init")
        let response = try #require(await withoutChallenges.endpoints.respond(to: request))
        #expect(try Answer(response) == Answer(503, "storeFailed"))
        #expect(response.fields[.retryAfter] == "5")
        let challenge = IssuedChallenge(sessionID: "s", nonce: "n", kind: .installations)
        let body = try withoutChallenges.submission(challenge)
        #expect(try await withoutChallenges.attest(body) == Answer(503, "storeFailed"))
        let withoutKeys = try Fixture(keys: BrokenStore())
        let submission = try await withoutKeys.submission(withoutKeys.challenge())
        #expect(try await withoutKeys.attest(submission) == Answer(503, "storeFailed"))
    }

    @Test func aSessionThatIsTakenIsNotGivenAgain() async throws {
        struct FullStore: ChallengeStore {
            func insert(_ challenge: IssuedChallenge, lifetime: Duration) async -> Bool { false }
            func take(_ sessionID: String) async -> IssuedChallenge? { nil }
        }
        let fixture = try Fixture(challenges: FullStore())
        let request = try Fixture.request("/installations/attest-init")
        let response = try #require(await fixture.endpoints.respond(to: request))
        #expect(try Answer(response) == Answer(503, "challengeFailed"))
    }

    @Test func outcomesAreHeardAndHoldNoNonce() async throws {
        let outcomes = Mutex<[String]>([])
        let fixture = try Fixture(onOutcome: { kind, outcome in
            outcomes.withLock { list in
                switch outcome {
                case .success(let attestation): list.append("\(kind) \(attestation.format)")
                case .failure(let error): list.append("\(kind) \(error)")
                }
            }
        })
        let challenge = try await fixture.challenge()
        let body = try fixture.submission(challenge)
        _ = try await fixture.attest(body)
        _ = try await fixture.attest(body)
        let heard = outcomes.withLock { $0 }
        #expect(
            heard == [
                "installations packed", "installations invalidNonce: the session is unknown, used or over",
            ]
        )
        let request = try Fixture.request("/installations/attest", body)
        let response = try #require(await fixture.endpoints.respond(to: request))
        for secret in [challenge.sessionID, challenge.nonce] {
            #expect(response.text?.contains(secret) == false && !"\(challenge)".contains(secret))
        }
    }
}

import AppAttestationClient
import Encodings
import HTTPMessages
import ProtectionTesting
import Testing

@Suite("The backend by HTTP", .timeLimit(.minutes(1))) struct HTTPBackendTests {
    static let submission = AttestationSubmission(
        sessionID: "s",
        keyID: KeyFileTests.keyID,
        attestation: [0xA0]
    )

    private func backend(
        _ base: String = "https://api.example/v1",
        prefix: String = "installations",
        _ answer: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse
    ) throws -> (HTTPAttestationBackend, RecordingSession) {
        let session = RecordingSession(answering: answer)
        return (try HTTPAttestationBackend(baseURL: base, pathPrefix: prefix, session: session), session)
    }

    @Test(arguments: ["https://api.example/v1", "https://api.example/v1/"])
    func theWireIsAsAgreed(base: String) async throws {
        let (backend, session) = try backend(base) { request in
            guard request.target.path.hasSuffix("-init") else { return HTTPResponse(status: .noContent) }
            return HTTPResponse(status: .ok, body: Array(#"{"sessionId":"s","nonce":"n","more":1}"#.utf8))
        }
        let challenge = try await backend.fetchChallenge()
        #expect(challenge == AttestationChallenge(sessionID: "s", nonce: "n"))
        // SHA-256 of the one octet "n".
        #expect(
            try Hex.encode(challenge.clientDataHash())
                == "1b16b1df538ba12dc3f97edbb85caa7050d46c148134290feba80f8236c83db9"
        )
        try await backend.submit(Self.submission)
        #expect(
            session.requests.map { "\($0)" } == [
                "POST https://api.example/v1/installations/attest-init",
                "POST https://api.example/v1/installations/attest",
            ]
        )
        #expect(session.requests.allSatisfy { $0.fields[.contentType] == "application/json" })
        #expect(session.requests[0].body?.bytes == Array("{}".utf8))
        #expect(
            session.requests[1].body?.bytes
                == Array(
                    #"{"sessionId":"s","keyId":"\#(KeyFileTests.keyID)","attestation":"oA=="}"#.utf8
                )
        )
        #expect(backend.endpoints == session.requests.map(\.target))
    }

    @Test func thePrefixCanBeApples() throws {
        let (backend, _) = try backend(prefix: "apple") { _ in HTTPResponse(status: .ok) }
        #expect(backend.endpoints.map(\.path) == ["/v1/apple/attest-init", "/v1/apple/attest"])
    }

    @Test(
        arguments: [
            (400, .refused), (401, .refused), (403, .refused), (404, .refused), (409, .refused),
            (410, .refused), (422, .refused), (301, .unavailable), (408, .unavailable), (425, .unavailable),
            (429, .unavailable), (500, .unavailable), (502, .unavailable), (503, .unavailable),
            (204, .invalidResponse), (202, .invalidResponse),
        ] as [(Int, AttestationClientError.Code)]
    )
    func permanentAndPassingFailuresAreToldApart(
        status: Int,
        expected: AttestationClientError.Code
    ) async throws {
        let (backend, _) = try backend { _ in
            TestAuthority.problem(try HTTPStatus(status), "invalidAttestation")
        }
        #expect(await code { _ = try await backend.fetchChallenge() } == expected)
        let submitted = await code { try await backend.submit(Self.submission) }
        #expect(submitted == (status == 204 ? nil : expected))
    }

    /// What a load balancer, a gateway or a service that is being rolled out says is no refusal of the backend's.
    @Test(
        arguments: [400, 401, 403, 404, 405, 409, 413],
        [
            "", "<html>403 Forbidden</html>", "{}", #"{"code":403}"#, #"{"code":"FORBIDDEN"}"#,
            #"["notAdmitted"]"#,
        ]
    )
    func aRefusalHasACodeOfTheBackends(status: Int, body: String) async throws {
        let (backend, _) = try backend { _ in
            HTTPResponse(status: try HTTPStatus(status), body: Array(body.utf8))
        }
        #expect(await code { _ = try await backend.fetchChallenge() } == .unavailable)
        #expect(await code { try await backend.submit(Self.submission) } == .unavailable)
        var own = backend
        own.refusalCodes = ["FORBIDDEN"]
        let isOwn = body.contains("FORBIDDEN")
        #expect(await code { try await own.submit(Self.submission) } == (isOwn ? .refused : .unavailable))
    }

    @Test(
        arguments: [("", nil), ("{}", nil), ("<html>", .invalidResponse), ("[]", .invalidResponse)]
            as [(String, AttestationClientError.Code?)]
    )
    func aPageIsNoWordThatTheKeyIsKept(body: String, expected: AttestationClientError.Code?) async throws {
        let (backend, _) = try backend { _ in HTTPResponse(status: .ok, body: Array(body.utf8)) }
        #expect(await code { try await backend.submit(Self.submission) } == expected)
    }

    /// Who may not have a key now may have it later, and another key would change nothing.
    @Test(arguments: ["notAdmitted", "methodNotAllowed", "unsupportedMediaType"])
    func whatIsNotAboutTheKeyGivesNoneUp(refusal: String) async throws {
        let (backend, _) = try backend { _ in TestAuthority.problem(.forbidden, refusal) }
        #expect(await code { try await backend.submit(Self.submission) } == .unavailable)
    }

    @Test func aTransportsErrorMayPass() async throws {
        struct Fault: Error {}
        let (backend, _) = try backend { _ in throw Fault() }
        #expect(await code { _ = try await backend.fetchChallenge() } == .unavailable)
        let (cancelled, _) = try self.backend { _ in throw CancellationError() }
        await #expect(throws: CancellationError.self) { try await cancelled.fetchChallenge() }
    }

    @Test func aKeyThatIsKeptAlreadyIsKept() async throws {
        let (backend, _) = try backend { _ in TestAuthority.problem(.conflict, "keyAlreadyBound") }
        try await backend.submit(Self.submission)
        #expect(await code { _ = try await backend.fetchChallenge() } == .refused)
    }

    @Test(arguments: [400, 403, 409, 410]) func aSessionThatIsOverIsReplaced(status: Int) async throws {
        let (backend, _) = try backend { _ in
            TestAuthority.problem(try HTTPStatus(status), "invalidNonce")
        }
        #expect(await code { try await backend.submit(Self.submission) } == .unavailable)
    }

    @Test(arguments: ["", "[]", "{}", #"{"sessionId":"s"}"#, #"{"sessionId":"","nonce":"n"}"#, "<html>"])
    func anAnswerWithoutAChallengeIsRefused(body: String) async throws {
        let (backend, _) = try backend { _ in HTTPResponse(status: .ok, body: Array(body.utf8)) }
        #expect(await code { _ = try await backend.fetchChallenge() } == .invalidResponse)
    }

    @Test(arguments: [("7", 7), ("0", 0), ("x", nil), ("-1", nil), ("9999999999", nil)] as [(String, Int?)])
    func aServersWishIsHeard(value: String, seconds: Int?) async throws {
        let (backend, _) = try backend { _ in
            var response = HTTPResponse(status: .serviceUnavailable)
            try response.fields.set(value, for: .retryAfter)
            return response
        }
        let error = await #expect(throws: AttestationClientError.self) { try await backend.fetchChallenge() }
        #expect(error?.retryAfter == seconds.map { .seconds($0) })
    }

    @Test func nothingOfTheExchangeIsInADescription() async throws {
        let (backend, _) = try backend { _ in
            TestAuthority.problem(.forbidden, "secret value \u{1B}[2J")
        }
        let error = await #expect(throws: AttestationClientError.self) {
            try await backend.submit(Self.submission)
        }
        #expect(error.map { "\($0)" } == "unavailable: the backend answered with status 403")
        #expect("\(Self.submission)" == "AttestationSubmission(1 octets)")
        #expect("\(AttestationChallenge(sessionID: "s", nonce: "n"))" == "AttestationChallenge")
    }

    @Test(
        arguments: [
            ("ftp://api.example", .invalidConfiguration), ("https://api.example?x=", .invalidConfiguration),
            ("https://api.example/#", .invalidConfiguration), ("", .invalidConfiguration),
            ("http://api.example", .insecureTarget), ("http://localhost:1", nil), ("https://a.example", nil),
        ] as [(String, AttestationClientError.Code?)]
    )
    func anAddressMustBeSafe(base: String, expected: AttestationClientError.Code?) async throws {
        #expect(await code { _ = try backend(base) { _ in HTTPResponse(status: .ok) } } == expected)
        let prefix = await code { _ = try backend(prefix: "a?b") { _ in HTTPResponse(status: .ok) } }
        #expect(prefix == .invalidConfiguration)
    }
}

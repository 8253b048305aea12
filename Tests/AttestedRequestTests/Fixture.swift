import AppAttestation
import AppAttestationClient
import AttestationAuthority
import Cryptography
import Encodings
import FoundationEssentials
import HTTPMessages
import ProtectionTesting
import TestSupport
import Testing
import Timing

/// Endpoints, their stores, and a client that makes keys.
struct Fixture {
    static let appID = "org.example.app"

    let folder: TemporaryFolder
    let provider: SoftwareAttestationProvider
    let keys = InMemoryAttestedKeyStore()
    let time = ManualTime()
    let challenges: InMemoryChallengeStore
    let endpoints: AttestationEndpoints

    init(
        keys other: (any AttestedKeyStore)? = nil,
        challenges otherChallenges: (any ChallengeStore)? = nil,
        pathPrefix: String = "",
        admits:
            @escaping @Sendable (AttestationKind, VerifiedAttestation, HTTPRequest) async throws -> Bool = {
                _,
                _,
                _ in true
            },
        onOutcome:
            @escaping @Sendable (AttestationKind, Result<VerifiedAttestation, AuthorityError>) async -> Void =
            {
                _,
                _ in
            }
    ) throws {
        folder = try TemporaryFolder()
        provider = SoftwareAttestationProvider(directory: folder.path, appID: Self.appID)
        challenges = InMemoryChallengeStore(time: time.source)
        // Two prefixes that take one kind of key, so that a session can be carried from one to the other.
        let verifier = try Self.verifier(time: time.source)
        endpoints = AttestationEndpoints(
            apple: verifier,
            installations: verifier,
            keys: other ?? keys,
            challenges: otherChallenges ?? challenges,
            pathPrefix: pathPrefix,
            admits: admits,
            onOutcome: onOutcome
        )
    }

    static func verifier(time: TimeSource) throws -> AttestationVerifier {
        try AttestationVerifier(appIDs: [appID], formats: [InstallationKeyFormat()], time: time)
    }

    static func request(
        _ path: String,
        _ body: String = "{}",
        method: HTTPMethod = .post,
        type: String? = "application/json"
    ) throws -> HTTPRequest {
        var request = try HTTPRequest(
            method: method,
            url: "https://api.example" + path,
            body: HTTPBody(body)
        )
        if let type { try request.fields.set(type, for: .contentType) }
        return request
    }

    func challenge(_ kind: AttestationKind = .installations) async throws -> IssuedChallenge {
        let response = await endpoints.respond(to: try Self.request("/\(kind)/attest-init"))
        let answer = try #require(response)
        #expect(answer.status == .ok && answer.fields["Cache-Control"] == "no-store")
        let object = try #require(try JSONValue(parsing: answer.body).object)
        #expect(object.members.map(\.name) == ["sessionId", "nonce"])
        return IssuedChallenge(
            sessionID: try #require(object["sessionId"]?.string),
            nonce: try #require(object["nonce"]?.string),
            kind: kind
        )
    }

    /// What a client shows for a key and a challenge.
    func submission(_ challenge: IssuedChallenge, key: String? = nil, session: String? = nil) throws -> String
    {
        let key = try key ?? provider.generateKey()
        let hash = try HashAlgorithm.sha256.hash(Array(challenge.nonce.utf8))
        let attestation = Base64.standard.encode(try provider.attestKey(key, clientDataHash: hash))
        return #"{"sessionId":"\#(session ?? challenge.sessionID)","keyId":"\#(key)","#
            + #""attestation":"\#(attestation)"}"#
    }

    func attest(_ body: String, _ kind: AttestationKind = .installations) async throws -> Answer {
        let response = await endpoints.respond(to: try Self.request("/\(kind)/attest", body))
        return try Answer(#require(response))
    }
}

/// The status of a response, and the code of its problem.
struct Answer: Hashable, CustomStringConvertible {
    let status: Int
    let code: String?

    init(_ status: Int, _ code: String? = nil) {
        self.status = status
        self.code = code
    }

    /// Reads a response; a problem must have its five members and nothing else.
    init(_ response: HTTPResponse) throws {
        status = response.status.code
        guard !response.status.isSuccess else {
            code = nil
            return
        }
        let object = try #require(try JSONValue(parsing: response.body).object)
        #expect(response.fields[.contentType] == "application/problem+json")
        #expect(response.fields["Cache-Control"] == "no-store")
        #expect(object.members.map(\.name) == ["type", "title", "status", "detail", "code"])
        #expect(object["status"]?.integer == Int64(status))
        #expect(object["title"]?.string != "Error")
        #expect((response.status == .unauthorized) == response.fields.contains(.wwwAuthenticate))
        code = object["code"]?.string
    }

    var description: String { "\(status) \(code ?? "")" }
}

/// A store whose disk is gone.
struct BrokenStore: AttestedKeyStore, ChallengeStore {
    struct Failure: Error {}
    func insert(_ key: AttestedKey) async throws -> Bool { throw Failure() }
    func key(_ keyID: [UInt8]) async throws -> AttestedKey? { throw Failure() }
    func advanceCounter(keyID: [UInt8], from: UInt32, to: UInt32) async throws -> Bool { throw Failure() }
    func insert(_ challenge: IssuedChallenge, lifetime: Duration) async throws -> Bool { throw Failure() }
    func take(_ sessionID: String) async throws -> IssuedChallenge? { throw Failure() }
}

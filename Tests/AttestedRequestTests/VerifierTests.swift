import AppAttestation
import AppAttestationClient
import Cryptography
import Encodings
import FoundationEssentials
import HTTPMessages
import Locking
import ProtectionTesting
import RequestVerification
import Testing

@Suite("Requests with an assertion", .timeLimit(.minutes(2))) struct VerifierTests {
    @Test func aSignedRequestIsProvedOnce() async throws {
        let client = try await Client()
        let proof = try await client.verifier.verify(client.request())
        #expect(proof.counter == 1 && proof.appID == Fixture.appID && proof.timestamp == 1_767_225_600)
        #expect(Base64.standard.encode(proof.keyID) == client.keyID)
        #expect("\(proof)" == "a request of org.example.app, counter 1")
        let request = try client.request(body: "")
        #expect(try await client.answer(request) == Answer(200))
        #expect(try await client.answer(request) == Answer(401, "counterNotAdvanced"))
    }

    @Test func anOlderCounterIsRefused() async throws {
        let client = try await Client()
        let (first, second) = try (client.request(), client.request())
        #expect(try await client.answer(second) == Answer(200))
        #expect(try await client.answer(first) == Answer(401, "counterNotAdvanced"))
    }

    enum Change: String, CaseIterable { case method, path, query, body, noBody, timestamp, signature, host }

    @Test(arguments: Change.allCases) func whatIsSignedCannotBeChanged(change: Change) async throws {
        let client = try await Client()
        var request = try client.request()
        let original = request
        switch change {
        case .method: request.method = .post
        case .path: request.target = try RequestTarget("https://api.example/pay/?x=1")
        case .query: request.target = try RequestTarget("https://api.example/pay?x=2")
        case .body: request.body = HTTPBody("tan")
        case .noBody: request.body = nil
        case .timestamp: try request.fields.set("2026-01-01T00:00:01Z", for: "X-Timestamp")
        case .signature:
            let other = try client.request("/other")
            try request.fields.set(#require(other.fields["X-Signature"]), for: "X-Signature")
        // The standard string does not hold the host: one key for one backend.
        case .host: request.target = try RequestTarget("https://other.example/pay?x=1")
        }
        let expected = change == .host ? Answer(200) : Answer(401, "badSignature")
        #expect(try await client.answer(request) == expected)
        // What was refused has not moved the counter.
        if change != .host { #expect(try await client.answer(original) == Answer(200)) }
    }

    @Test(arguments: ["X-Key-ID", "X-Signature", "X-Timestamp"] as [HTTPField.Name])
    func eachFieldMustBeThereOnce(name: HTTPField.Name) async throws {
        let client = try await Client()
        var request = try client.request()
        try request.fields.append(#require(request.fields[name]), for: name)
        #expect(try await client.answer(request) == Answer(400, "malformedField"))
        request.fields.removeAll(name)
        #expect(try await client.answer(request) == Answer(401, "missingField"))
        try request.fields.set("", for: name)
        #expect(try await client.answer(request) == Answer(401, "missingField"))
    }

    @Test(
        arguments: [
            ("X-Key-ID", "_w=="), ("X-Key-ID", "AA"), ("X-Key-ID", String(repeating: "A", count: 1400)),
            ("X-Signature", "!"), ("X-Signature", "oA=="),
            ("X-Signature", String(repeating: "A", count: 40_000)),
            ("X-Timestamp", "1767225600"), ("X-Timestamp", "2026-01-01T00:00:00+00:00"),
            ("X-Timestamp", "2026-01-01T00:00:00.0Z"), ("X-Timestamp", "2026-02-30T00:00:00Z"),
            ("X-Timestamp", "2026-01-01t00:00:00z"), ("Content-Digest", "sha-256=1"),
        ] as [(HTTPField.Name, String)]
    )
    func fieldsOutOfFormAreRefused(name: HTTPField.Name, value: String) async throws {
        let client = try await Client()
        var request = try client.request()
        try request.fields.set(value, for: name)
        #expect(try await client.answer(request) == Answer(400, "malformedField"))
    }

    @Test(
        arguments: [
            (0, 0, true), (60, 60, true), (61, 60, false), (-60, 60, true), (-61, 60, false), (1, 0, false),
            (-1, 0, false), (300, 300, true), (301, 300, false),
        ]
    )
    func timestampsLieInTheWindow(age: Int, window: Int, isTaken: Bool) async throws {
        let client = try await Client(window: .seconds(window))
        let request = try client.request()
        client.fixture.time.setDate(Date(timeIntervalSince1970: 1_767_225_600 + Double(age)))
        #expect(try await client.answer(request) == (isTaken ? Answer(200) : Answer(401, "staleTimestamp")))
    }

    @Test func anUnknownKeyIsToldSo() async throws {
        let client = try await Client()
        var request = try client.request()
        try request.fields.set(Base64.standard.encode([UInt8](repeating: 1, count: 32)), for: "X-Key-ID")
        #expect(try await client.answer(request) == Answer(401, "unknownKey"))
        let other = try await Client()
        try request.fields.set(other.keyID, for: "X-Key-ID")
        let stranger = AssertedRequestVerifier(
            keys: other.fixture.keys,
            formats: [.installationKey],
            time: client.fixture.time.source
        )
        #expect(try await client.answer(request, stranger) == Answer(401, "badSignature"))
    }

    @Test func aStatedDigestTellsThatTheBodyChanged() async throws {
        let client = try await Client()
        // SHA-256 of "ten".
        let digest = Base64.standard.encode(try HashAlgorithm.sha256.hash(Array("ten".utf8)))
        var request = try client.request()
        try request.fields.set("sha-256=:\(digest):", for: "Content-Digest")
        let original = request
        request.body = HTTPBody("tan")
        #expect(try await client.answer(request) == Answer(401, "bodyChanged"))
        // The digest proves nothing: whoever changes both gets no further.
        let other = Base64.standard.encode(try HashAlgorithm.sha256.hash(Array("tan".utf8)))
        try request.fields.set("sha-256=:\(other):", for: "Content-Digest")
        #expect(try await client.answer(request) == Answer(401, "badSignature"))
        #expect(try await client.answer(original) == Answer(200))
        var unknown = try client.request()
        try unknown.fields.set("md5=:AAAA:", for: "Content-Digest")
        #expect(try await client.answer(unknown) == Answer(200))
    }

    @Test func aPolicyOfTheAppHolds() async throws {
        // The client of this library tells nothing of itself, which this policy does not take.
        let client = try await Client(verifier: AssertionVerifier(extensions: .only([.appStore])))
        #expect(try await client.answer(client.request()) == Answer(401, "unsuitableAssertion"))
    }

    @Test(arguments: [[.appleAppAttest], [], [.tpm, .packed, .selfAttested]] as [Set<AttestedKeyFormat>])
    func aKeyThatVouchesForItselfIsNoOther(formats: Set<AttestedKeyFormat>) async throws {
        let client = try await Client(formats: formats)
        let request = try client.request()
        #expect(try await client.answer(request) == Answer(401, "unsuitableAssertion"))
        // The refusal has not moved the counter.
        let other = AssertedRequestVerifier(
            keys: client.fixture.keys,
            formats: [.installationKey],
            time: client.fixture.time.source
        )
        #expect(try await other.verify(request).format == .installationKey)
    }

    @Test func aKeyThatDoesNotCountIsRefused() async throws {
        let key = try PrivateKey.generate(.p256)
        let keyID = [UInt8](repeating: 9, count: 32)
        let store = InMemoryAttestedKeyStore()
        _ = await store.insert(
            AttestedKey(
                keyID: keyID,
                publicKey: key.publicKey,
                format: .installationKey,
                scheme: .webAuthn,
                appID: "example",
                environment: nil,
                counter: 0
            )
        )
        let hash = try HashAlgorithm.sha256.hash(Array("GET|/|\(Client.timestamp)|".utf8))
        let data = try HashAlgorithm.sha256.hash(Array("example".utf8)) + [0x01, 0, 0, 0, 0]
        let signature = try key.sign(data + hash, using: .ecdsaP256SHA256, encoding: .der)
        let object = CBORWriter.encode(
            CBORWriter.map(["signature": .bytes(signature), "authenticatorData": .bytes(data)])
        )
        var request = try HTTPRequest(url: "https://api.example/")
        try request.fields.set(Base64.standard.encode(keyID), for: "X-Key-ID")
        try request.fields.set(Base64.standard.encode(object), for: "X-Signature")
        try request.fields.set(Client.timestamp, for: "X-Timestamp")
        let client = try await Client()
        let verifier = AssertedRequestVerifier(
            keys: store,
            formats: [.installationKey],
            time: client.fixture.time.source
        )
        #expect(try await client.answer(request, verifier) == Answer(401, "counterNotAdvanced"))
    }

    @Test func whatCannotBeLookedUpMayPassLater() async throws {
        let client = try await Client()
        let broken = AssertedRequestVerifier(
            keys: BrokenStore(),
            formats: [.installationKey],
            time: client.fixture.time.source
        )
        let request = try client.request()
        #expect(try await client.answer(request, broken) == Answer(503, "unavailable"))
        var unread = request
        unread.body = HTTPBody(file: "/dev/null")
        #expect(try await client.answer(unread) == Answer(503, "unavailable"))
        #expect(try await client.answer(request) == Answer(200))
    }

    /// A store in which another request comes first.
    private final class OvertakingStore: AttestedKeyStore {
        let inner: InMemoryAttestedKeyStore
        init(_ inner: InMemoryAttestedKeyStore) { self.inner = inner }
        func insert(_ key: AttestedKey) async -> Bool { await inner.insert(key) }
        func key(_ keyID: [UInt8]) async -> AttestedKey? { await inner.key(keyID) }
        func advanceCounter(keyID: [UInt8], from: UInt32, to: UInt32) async -> Bool {
            _ = await inner.advanceCounter(keyID: keyID, from: from, to: to + 1)
            return false
        }
    }

    @Test func whoIsOvertakenIsToldSo() async throws {
        let client = try await Client()
        let verifier = AssertedRequestVerifier(
            keys: OvertakingStore(client.fixture.keys),
            formats: [.installationKey],
            time: client.fixture.time.source
        )
        #expect(try await client.answer(client.request(), verifier) == Answer(409, "counterOvertaken"))
    }

    @Test(arguments: 0..<5) func ofFiftyWithOneRequestOneWins(round: Int) async throws {
        let client = try await Client()
        let request = try client.request()
        let answers = try await race([HTTPRequest](repeating: request, count: 50), client)
        #expect(answers.count { $0 == Answer(200) } == 1)
        let losers: Set = [Answer(401, "counterNotAdvanced"), Answer(409, "counterOvertaken")]
        #expect(Set(answers).isSubset(of: losers.union([Answer(200)])))
    }

    @Test(arguments: 0..<5) func amongFiftyTheForgedNeverWin(round: Int) async throws {
        let client = try await Client()
        var requests = try (0..<25).map { _ in try client.request() }
        // Ahead of all others in their counters, and changed.
        let forged = try (0..<25).map { _ in
            var request = try client.request()
            request.body = HTTPBody("forged")
            return request
        }
        requests = (requests + forged).shuffled()
        let answers = try await race(requests, client)
        #expect(answers.count { $0 == Answer(401, "badSignature") } == 25)
        #expect(answers.contains(Answer(200)))
        let key = await client.fixture.keys.key(try Base64.standard.decode(client.keyID))
        #expect(key?.counter == 25)
    }

    @concurrent
    private func race(_ requests: [HTTPRequest], _ client: Client) async throws -> [Answer] {
        try await withThrowingTaskGroup(of: Answer.self) { group in
            for request in requests { group.addTask { try await client.answer(request) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}

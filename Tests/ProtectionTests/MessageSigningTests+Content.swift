import Glibc
import HTTPMessages
import Locking
import MessageSignatures
import Protection
import ProtectionTesting
import StructuredFields
import TestSupport
import Testing

extension MessageSigningTests {
    private func stream(_ pieces: [[UInt8]], count: Int? = nil) -> HTTPBodyStream {
        HTTPBodyStream(
            AsyncStream { continuation in
                for piece in pieces { continuation.yield(piece) }
                continuation.finish()
            },
            count: count
        )
    }

    @Test func aStreamIsTakenIntoMemoryUpToALimit() async throws {
        let body = HTTPBody(stream([Array("con".utf8), Array("tent".utf8)]))
        let sent = try await service(mutator()).protect(request(body: body))
        #expect(sent.body?.bytes == Array("content".utf8))
        #expect(try verify(sent).isContentVerified)
        let long = try await service(mutator { $0.maximumStreamLength = 6 })
            .updateRequest(request(body: HTTPBody(stream([Array("con".utf8), Array("tent".utf8)]))))
        #expect((long.error as? ProtectionError)?.code == .permanent)
        let plain = HTTPBody(stream([[1]]))
        let unread = try await service(mutator { $0.bodyDigest = .none }).protect(request(body: plain))
        #expect(unread.body == plain)
    }

    @Test(arguments: [6, 8]) func aStreamMustBeAsLongAsItSays(count: Int) async throws {
        let pieces = [Array("con".utf8), Array("tent".utf8)]
        let update = try await service(mutator())
            .updateRequest(request(body: HTTPBody(stream(pieces, count: count))))
        #expect((update.error as? ProtectionError)?.code == .permanent)
        let sent = try await service(mutator()).protect(request(body: HTTPBody(stream(pieces, count: 7))))
        #expect(sent.body?.bytes == Array("content".utf8))
    }

    @Test func aStreamThatSaysItIsTooLongIsNotRead() async throws {
        let isRead = Mutex(false)
        let pieces = AsyncStream<[UInt8]>(unfolding: {
            isRead.withLock { $0 = true }
            return nil
        })
        let long = try await service(mutator { $0.maximumStreamLength = 6 })
            .updateRequest(request(body: HTTPBody(HTTPBodyStream(pieces, count: 7))))
        #expect((long.error as? ProtectionError)?.code == .permanent)
        #expect(!isRead.withLock { $0 })
    }

    @Test func aDigestOfTheAppMustBeAsStrongAsTheFactorys() async throws {
        let strict = try service(mutator { $0.digestAlgorithm = .sha512 })
        func stated(_ algorithms: Set<DigestAlgorithm>) throws -> HTTPRequest {
            var request = try request(body: HTTPBody("content"))
            let digest = try DigestField(of: Array("content".utf8), using: algorithms)
            try request.fields.set(digest.serialized, for: .contentDigest)
            return request
        }
        for algorithms in [[.sha512], [.sha256, .sha512]] as [Set<DigestAlgorithm>] {
            let request = try stated(algorithms)
            #expect(
                try await strict.protect(request).fields[.contentDigest] == request.fields[.contentDigest]
            )
        }
        let weak = try await strict.updateRequest(stated([.sha256]))
        let error = (weak.error as? ProtectionError)?.underlying as? SignatureError
        #expect(error?.code == .noSupportedDigestAlgorithm && error?.message.contains("sha-512") == true)
        // Without a digest to be covered, the app's own is its own matter.
        let unsigned = try service(mutator { ($0.digestAlgorithm, $0.bodyDigest) = (.sha512, .none) })
        #expect(
            try await unsigned.protect(stated([.sha256])).fields[.contentDigest]?.contains("sha-256") == true
        )
        let strong = try await service(mutator()).protect(stated([.sha512]))
        #expect(try verify(strong).isContentVerified)
    }

    @Test(arguments: [("sha-512=5, sha-256=1", "sha-512"), ("sha-256=1", "sha-256"), ("md5=9", "sha-256")])
    func theDigestIsTheOneThatTheReceiverPrefers(wish: String, name: String) async throws {
        let preferences = try DigestPreferences(parsing: Array(wish.utf8))
        let sent = try await service(mutator { $0.digestPreferences = preferences })
            .protect(request(body: HTTPBody("content")))
        #expect(sent.fields[.contentDigest]?.hasPrefix(name + "=:") == true)
    }

    @Test func structuredFieldsAndLimitsAreTheFactorys() async throws {
        var request = try request()
        try request.fields.set("a=1,   b", for: "X-Dict")
        let component = try ComponentIdentifier("x-dict", parameters: ["sf": true])
        func change(_ factory: inout SignatureParametersFactory) {
            factory.fieldTypes["x-dict"] = .dictionary
            factory.baseComponents.append(component)
        }
        let sent = try await service(mutator { change(&$0) }).protect(request)
        #expect(sent.fields["Signature-Input"]?.contains(component.serialized) == true)
        let small = try await service(mutator { $0.limits.baseLength = 10 }).updateRequest(request)
        let error = (small.error as? ProtectionError)?.underlying as? SignatureError
        #expect(error?.code == .limitExceeded)
    }

    @Test func aFileIsReadToBeDigested() async throws {
        let folder = try TemporaryFolder()
        let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        let path = try folder.write("content", content)
        var sent = try await service(mutator()).protect(request(body: HTTPBody(file: path)))
        #expect(sent.body == HTTPBody(file: path))
        #expect(throws: SignatureError.self) { try verify(sent) }
        sent.body = HTTPBody(content)
        #expect(try verify(sent).isContentVerified)
        // A digest that is there already must be the one of the file.
        var stated = try request(body: HTTPBody(file: path))
        try stated.fields.set(DigestField(of: [1]).serialized, for: "Content-Digest")
        let update = try await service(mutator()).updateRequest(stated)
        #expect(update.decision == .fail)
        try stated.fields.set(DigestField(of: content, using: [.sha512]).serialized, for: "Content-Digest")
        _ = try await service(mutator()).protect(stated)
        let missing = try await service(mutator()).updateRequest(
            request(body: HTTPBody(file: path + "-none"))
        )
        #expect((missing.error as? ProtectionError)?.code == .permanent)
    }

    /// A pipe that nobody writes to would be waited for, and a device may never end.
    @Test(arguments: ["pipe", "/dev/zero", "folder", "absent"])
    func whatIsNoFileIsRefused(name: String) async throws {
        let folder = try TemporaryFolder()
        #expect(unsafe mkfifo(folder["pipe"], 0o600) == 0)
        #expect(unsafe mkdir(folder["folder"], 0o700) == 0)
        let body = HTTPBody(file: name.hasPrefix("/") ? name : folder[name])
        let error = await #expect(throws: ProtectionError.self) {
            try await service(mutator()).protect(request(body: body))
        }
        #expect(error?.code == .permanent && error?.message.contains("cannot be read") == true)
    }
}

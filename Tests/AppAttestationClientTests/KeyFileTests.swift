import AppAttestationClient
import Glibc
import TestSupport
import Testing

@Suite("The record in a file", .timeLimit(.minutes(1))) struct KeyFileTests {
    static let keyID = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    @Test func itIsKept() throws {
        let folder = try TemporaryFolder()
        let file = AttestationKeyFile(path: folder["record"])
        #expect(try file.load() == AttestationRecord())
        #expect(folder.namesWithoutLocks == [])
        try file.update { $0.pendingKeyID = Self.keyID }
        #expect(try folder.mode("record") == 0o600)
        try file.update { record in
            record.keyID = record.pendingKeyID
            record.pendingKeyID = nil
            record.generation = 3
            record.attestedAt = 1_767_225_600
            record.wasReplaced = true
        }
        let other = AttestationKeyFile(path: folder["record"])
        let expected = AttestationRecord(
            keyID: Self.keyID,
            generation: 3,
            attestedAt: 1_767_225_600,
            wasReplaced: true
        )
        #expect(try other.load() == expected)
        #expect(
            try folder.text("record")
                == #"{"version":1,"keyId":"\#(Self.keyID)","generation":3,"attestedAt":1767225600,"#
                + #""replaced":true,"exhausted":false}"#
        )
    }

    @Test func aChangeThatThrowsChangesNothing() throws {
        struct Fault: Error {}
        let folder = try TemporaryFolder()
        let file = AttestationKeyFile(path: folder["record"])
        #expect(throws: Fault.self) {
            try file.update { record in
                record.generation = 9
                throw Fault()
            }
        }
        #expect(folder.namesWithoutLocks == [])
    }

    @Test(
        arguments: [
            "", "{}", "{\"version\":2,\"generation\":0,\"replaced\":false,\"exhausted\":false}",
            "{\"version\":1,\"generation\":-1,\"replaced\":false,\"exhausted\":false}",
            "{\"version\":1,\"generation\":0,\"replaced\":false}",
            "{\"version\":1,\"generation\":0,\"replaced\":false,\"exhausted\":false,\"more\":1}",
            "{\"version\":1,\"keyId\":7,\"generation\":0,\"replaced\":false,\"exhausted\":false}",
            "{\"version\":1,\"keyId\":\"\",\"generation\":0,\"replaced\":false,\"exhausted\":false}",
            "{\"version\":1,\"generation\":0,\"replaced\":false,\"exhausted\":false}\n",
            "{\"version\":1,\"generation\":0,\"replaced\":false,\"exhausted\":fal",
        ]
    )
    func aDamagedOneStays(text: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write("record", text)
        let file = AttestationKeyFile(path: folder["record"])
        #expect(await code { _ = try file.load() } == .storeDamaged)
        #expect(await code { try file.update { $0.generation = 1 } } == .storeDamaged)
        // Nor does the service make another key.
        let fixture = try Fixture()
        let provider = TestProvider(fixture.folder)
        let service = fixture.service(provider: provider, store: file)
        service.start()
        #expect(await code { _ = try await service.attestedKeyID() } == .storeDamaged)
        #expect(try folder.text("record") == text)
        #expect(provider.count(.generate) == 0)
    }

    @Test func anOpenFileOrALinkIsRefused() async throws {
        let folder = try TemporaryFolder()
        let text = #"{"version":1,"generation":0,"replaced":false,"exhausted":false}"#
        try folder.write("open", text, mode: 0o640)
        #expect(await code { _ = try AttestationKeyFile(path: folder["open"]).load() } == .storeDamaged)
        try folder.write("file", text)
        try #require(unsafe symlink(folder["file"], folder["link"]) == 0)
        #expect(await code { _ = try AttestationKeyFile(path: folder["link"]).load() } == .storeDamaged)
    }

    @Test func withoutADirectoryNothingIsKept() async throws {
        let file = AttestationKeyFile(path: "/absent/record")
        #expect(await code { try file.update { $0.generation = 1 } } == .storeFailed)
        #expect(await code { _ = try file.claim() } == .storeFailed)
    }

    @Test func oneHasTheClaim() throws {
        let folder = try TemporaryFolder()
        let file = AttestationKeyFile(path: folder["record"])
        var claim = try file.claim()
        #expect(claim != nil)
        #expect(try AttestationKeyFile(path: folder["record"]).claim() == nil)
        // The record can be changed meanwhile.
        try file.update { $0.generation = 1 }
        claim = nil
        #expect(claim == nil)
        #expect(try file.claim() != nil)
    }

    @Test func changesFromAllSidesAllCount() async throws {
        let folder = try TemporaryFolder()
        let path = folder["record"]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<10 { try AttestationKeyFile(path: path).update { $0.generation += 1 } }
                }
            }
            try await group.waitForAll()
        }
        #expect(try AttestationKeyFile(path: path).load().generation == 80)
    }
}

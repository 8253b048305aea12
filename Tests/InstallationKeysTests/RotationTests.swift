import Cryptography
import InstallationKeys
import TestSupport
import Testing

@Suite("Rotation of the installation key", .timeLimit(.minutes(1))) struct RotationTests {
    private func code<Result>(_ body: () throws(InstallationKeyError) -> Result) -> InstallationKeyError.Code?
    {
        caught(body)?.code
    }

    @Test func theSuccessorTakesThePlaceOfTheKey() throws {
        let folder = try TemporaryFolder()
        let file = InstallationKeyFile(path: folder["key.pem"])
        let old = try file.create()
        let new = try file.prepareSuccessor()
        #expect(new.publicKey != old.publicKey && new.keyType == .p256)
        #expect(try file.load().publicKey == old.publicKey)
        #expect(folder.namesWithoutLocks == ["key.pem", "key.pem.next"])
        #expect(try file.promoteSuccessor(expecting: new.publicKey).publicKey == new.publicKey)
        #expect(try file.load().publicKey == new.publicKey)
        #expect(folder.namesWithoutLocks == ["key.pem"])
    }

    /// Every call is a process that knows nothing of the one before.
    @Test func itGoesOnAfterAStopAtAnyStep() throws {
        let folder = try TemporaryFolder()
        func file() -> InstallationKeyFile { InstallationKeyFile(path: folder["key.pem"]) }
        let old = try file().create().publicKey
        // A stop while the successor was written: what is left has no name that counts.
        try folder.write(".key.pem.next.1234.tmp", "-----BEGIN PRIV")
        let new = try file().prepareSuccessor().publicKey
        // Stops before and after the enrolment.
        #expect(try file().prepareSuccessor().publicKey == new)
        #expect(try file().load().publicKey == old)
        #expect(try file().loadOrCreate().publicKey == old)
        try file().promoteSuccessor(expecting: new)
        // A stop just after: the new key is in use, and the next rotation is another one.
        #expect(try file().load().publicKey == new)
        #expect(code { () throws(InstallationKeyError) in try file().promoteSuccessor() } == .noSuccessor)
        #expect(try file().prepareSuccessor().publicKey != new)
    }

    @Test func thereMustBeAKeyToSucceed() throws {
        let folder = try TemporaryFolder()
        let file = InstallationKeyFile(path: folder["key.pem"])
        #expect(code(file.prepareSuccessor) == .notFound)
        #expect(code { () throws(InstallationKeyError) in try file.promoteSuccessor() } == .notFound)
        #expect(folder.namesWithoutLocks == [])
    }

    @Test func onlyTheKeyThatWasEnrolledIsPromoted() throws {
        let folder = try TemporaryFolder()
        let file = InstallationKeyFile(path: folder["key.pem"])
        let old = try file.create().publicKey
        let first = try file.prepareSuccessor().publicKey
        try file.discardSuccessor()
        #expect(folder.namesWithoutLocks == ["key.pem"])
        let second = try file.prepareSuccessor().publicKey
        #expect(first != second)
        #expect(
            code { () throws(InstallationKeyError) in try file.promoteSuccessor(expecting: first) }
                == .wrongSuccessor
        )
        #expect(try file.load().publicKey == old)
        try file.promoteSuccessor(expecting: second)
        #expect(try file.load().publicKey == second)
        try file.discardSuccessor()
        #expect(try file.load().publicKey == second)
    }

    @Test func manyRotateAtOnceAndOneKeyIsLeft() async throws {
        let folder = try TemporaryFolder()
        let path = folder["key.pem"]
        _ = try InstallationKeyFile(path: path).create()
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    try await blocking {
                        let file = InstallationKeyFile(path: path)
                        for _ in 0..<10 {
                            let key = try file.prepareSuccessor().publicKey
                            // Another one may have been faster.
                            do throws(InstallationKeyError) {
                                try file.promoteSuccessor(expecting: key)
                            } catch { #expect([.noSuccessor, .wrongSuccessor].contains(error.code)) }
                            _ = try file.load()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(folder.namesWithoutLocks.first == "key.pem")
    }
}

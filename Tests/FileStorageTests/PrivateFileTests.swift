import FileStorage
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite("Private file", .timeLimit(.minutes(1))) struct PrivateFileTests {
    private static let contents = Array("the contents\u{0}\n".utf8)

    private func code<Result>(_ body: () throws(FileStorageError) -> Result) -> FileStorageError.Code? {
        caught(body)?.code
    }

    @Test func whatIsCreatedIsRead() throws {
        let folder = try TemporaryFolder()
        let file = PrivateFile(path: folder["key"])
        try file.create(Self.contents)
        #expect(try file.read() == Self.contents)
        #expect(try folder.mode("key") == 0o600)
        #expect(folder.names == ["key"])
    }

    @Test(arguments: [0, 1, 100]) func sizesUpToTheLimitAreRead(size: Int) throws {
        let folder = try TemporaryFolder()
        let octets = [UInt8](repeating: 7, count: size)
        let file = PrivateFile(path: folder["key"], maximumSize: 100)
        try file.create(octets)
        #expect(try file.read() == octets)
    }

    @Test func moreThanTheLimitIsRefused() throws {
        let folder = try TemporaryFolder()
        let file = PrivateFile(path: folder["key"], maximumSize: 100)
        try file.create([UInt8](repeating: 7, count: 101))
        #expect(code(file.read) == .tooLarge)
    }

    /// A limit is far above most files.
    @Test func aSmallFileTakesLittleMemory() throws {
        let folder = try TemporaryFolder()
        let file = PrivateFile(path: folder["key"], maximumSize: 64 << 20)
        try file.create(Self.contents)
        let octets = try file.read()
        #expect(octets == Self.contents && octets.capacity < 4096)
    }

    /// The system says that this file has no octets, as if it had got them later.
    @Test func aFileThatHasGrownIsReadToItsEnd() throws {
        let path = "/proc/self/auxv"
        let expected = [UInt8](try Data(contentsOf: URL(filePath: path)))
        #expect(!expected.isEmpty)
        for limit in [expected.count, expected.count + 1, 1 << 20] {
            #expect(try PrivateFile(path: path, maximumSize: limit).read() == expected)
        }
        for limit in [0, 1, expected.count - 1] {
            #expect(code(PrivateFile(path: path, maximumSize: limit).read) == .tooLarge)
        }
    }

    @Test(arguments: ["file", "link", "folder", "dangling"]) func creatingNeverOverwrites(kind: String) throws
    {
        let folder = try TemporaryFolder()
        try folder.write("old", "old", mode: 0o644)
        switch kind {
        case "file": try folder.write("key", "mine", mode: 0o400)
        case "link": try #require(unsafe symlink(folder["old"], folder["key"]) == 0)
        case "dangling": try #require(unsafe symlink(folder["absent"], folder["key"]) == 0)
        default: try #require(unsafe mkdir(folder["key"], 0o700) == 0)
        }
        #expect(
            code { () throws(FileStorageError) in try PrivateFile(path: folder["key"]).create([1]) }
                == .alreadyExists
        )
        #expect(folder.names == ["key", "old"])
        #expect(try folder.text("old") == "old")
        if kind == "file" { #expect(try folder.text("key") == "mine") }
    }

    @Test func anAbsentFileIsNotFound() throws {
        let folder = try TemporaryFolder()
        #expect(code(PrivateFile(path: folder["key"]).read) == .notFound)
        #expect(code(PrivateFile(path: folder["key"]).remove) == .notFound)
        let deeper = PrivateFile(path: folder["absent/key"])
        #expect(code { () throws(FileStorageError) in try deeper.create([1]) } == .notFound)
    }

    @Test func aSymbolicLinkIsNotFollowed() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", "old")
        try #require(unsafe symlink(folder["old"], folder["key"]) == 0)
        #expect(code(PrivateFile(path: folder["key"]).read) == .symbolicLink)
    }

    /// A pipe without a writer would keep an open call waiting for ever.
    @Test(arguments: ["folder", "pipe", "socket"]) func onlyAFileIsRead(kind: String) throws {
        let folder = try TemporaryFolder()
        switch kind {
        case "folder": try #require(unsafe mkdir(folder["key"], 0o700) == 0)
        case "pipe": try #require(unsafe mkfifo(folder["key"], 0o600) == 0)
        default: try #require(unsafe mknod(folder["key"], S_IFSOCK | 0o600, 0) == 0)
        }
        #expect(code(PrivateFile(path: folder["key"]).read) == .notAFile)
        #expect(folder.names == ["key"])
    }

    @Test(arguments: [0o640, 0o620, 0o610, 0o604, 0o602, 0o601, 0o666] as [mode_t])
    func aFileThatIsOpenToOthersIsRefused(mode: mode_t) throws {
        let folder = try TemporaryFolder()
        try folder.write("key", "secret", mode: mode)
        #expect(code(PrivateFile(path: folder["key"]).read) == .openPermissions)
        #expect(try folder.mode("key") == mode)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func aFileOfAnotherUserIsRefused() throws {
        let folder = try TemporaryFolder()
        try folder.write("key", "secret")
        try #require(unsafe chown(folder["key"], 1, 1) == 0)
        #expect(code(PrivateFile(path: folder["key"]).read) == .foreignOwner)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a directory away"))
    func aDirectoryOfAnotherUserIsRefused() throws {
        let folder = try TemporaryFolder()
        try folder.write("key", "secret")
        try #require(unsafe chown(folder.path, 1, 1) == 0)
        #expect(code(PrivateFile(path: folder["key"]).read) == .unsafeDirectory)
    }

    @Test(arguments: [(0o770, true), (0o707, true), (0o1777, false), (0o755, false)] as [(mode_t, Bool)])
    func aDirectoryThatOthersWriteToIsRefused(mode: mode_t, isRefused: Bool) throws {
        let folder = try TemporaryFolder()
        try folder.write("key", "secret")
        try #require(unsafe chmod(folder.path, mode) == 0)
        let file = PrivateFile(path: folder["key"])
        let expected: FileStorageError.Code? = isRefused ? .unsafeDirectory : nil
        #expect(code(file.read) == expected)
        #expect(code { () throws(FileStorageError) in try file.replace([1]) } == expected)
        #expect(
            code { () throws(FileStorageError) in try PrivateFile(path: folder["new"]).create([1]) }
                == expected
        )
        #expect(code(file.remove) == expected)
    }

    @Test(arguments: ["", "/", ".", "..", "/tmp/", "/tmp/.."])
    func aPathThatNamesNoFileIsRefused(path: String) {
        let file = PrivateFile(path: path)
        #expect(code(file.read) == .invalidPath)
        #expect(code { () throws(FileStorageError) in try file.create([]) } == .invalidPath)
        #expect(
            code { () throws(FileStorageError) in try PrivateFile(path: "key").replace(by: file) }
                == .invalidPath
        )
    }

    /// The system would read the path up to the NUL, and so name another file.
    @Test func aPathWithANULIsRefused() throws {
        let folder = try TemporaryFolder()
        try folder.write("key", "secret")
        #expect(code(PrivateFile(path: folder["key\u{0}.txt"]).read) == .invalidPath)
    }

    @Test func replacingIsAWholeNewFile() throws {
        let folder = try TemporaryFolder()
        let file = PrivateFile(path: folder["key"])
        try folder.write("key", "an old and longer text", mode: 0o644)
        try file.replace(Self.contents)
        #expect(try file.read() == Self.contents)
        #expect(folder.names == ["key"])
    }

    @Test func aFileTakesThePlaceOfAnother() throws {
        let folder = try TemporaryFolder()
        let (file, next) = (PrivateFile(path: folder["key"]), PrivateFile(path: folder["key.next"]))
        try file.create([1])
        #expect(code { () throws(FileStorageError) in try file.replace(by: next) } == .notFound)
        #expect(try file.read() == [1])
        try next.create([2])
        try file.replace(by: next)
        #expect(try file.read() == [2])
        #expect(folder.names == ["key"])
        let elsewhere = PrivateFile(path: "/tmp/key.next")
        #expect(code { () throws(FileStorageError) in try file.replace(by: elsewhere) } == .invalidPath)
    }

    @Test func aFailureLeavesNothingBehind() throws {
        let folder = try TemporaryFolder()
        try #require(unsafe mkdir(folder["key"], 0o700) == 0)
        #expect(
            code { () throws(FileStorageError) in try PrivateFile(path: folder["key"]).replace([1]) }
                == .notAFile
        )
        #expect(folder.names == ["key"])
        try PrivateFile(path: folder["other"]).create([1])
        try PrivateFile(path: folder["other"]).remove()
        #expect(folder.names == ["key"])
    }

    @Test func theSystemsErrorIsTold() throws {
        let folder = try TemporaryFolder()
        let file = PrivateFile(path: folder[String(repeating: "k", count: 300)])
        let error = try #require(throws: FileStorageError.self) { try file.read() }
        #expect(error.code == .inputOutput && error.errorNumber == ENAMETOOLONG)
        #expect("\(error)".hasPrefix("inputOutput: \(file.path): "))
    }

    @Test func theLockKeepsOthersOut() async throws {
        let folder = try TemporaryFolder()
        let file = PrivateFile(path: folder["count"])
        try file.create([0])
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    try await blocking {
                        for _ in 0..<25 {
                            try file.withLock(convert: { $0 }) { () throws(FileStorageError) in
                                try file.replace([try file.read()[0] + 1])
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try file.read() == [100])
        #expect(folder.names == ["count", "count.lock"])
    }

    @Test func aStrangeLockFileIsRefused() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", "old")
        try #require(unsafe symlink(folder["old"], folder["key.lock"]) == 0)
        let file = PrivateFile(path: folder["key"])
        let error = try #require(throws: FileStorageError.self) {
            try file.withLock(convert: { $0 }) { () throws(FileStorageError) in }
        }
        #expect(error.code == .symbolicLink && error.path == folder["key.lock"])
    }

    @Test func aLockThatIsHeldIsNotWaitedFor() throws {
        let folder = try TemporaryFolder()
        let file = PrivateFile(path: folder["file"])
        var lock = try file.lockIfAvailable()
        #expect(lock != nil)
        #expect(try PrivateFile(path: folder["file"]).lockIfAvailable() == nil)
        lock = nil
        #expect(lock == nil)
        #expect(try file.lockIfAvailable() != nil)
        // The other kind of lock is the same.
        let second = try file.withLock(convert: { $0 as any Error }) { try file.lockIfAvailable() }
        #expect(second == nil)
        #expect(throws: FileStorageError.self) { try PrivateFile(path: "/absent/x").lockIfAvailable() }
    }
}

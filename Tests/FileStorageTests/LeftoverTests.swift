@testable import FileStorage
import Glibc
import TestSupport
import Testing

/// What a process leaves that ends while it writes.
@Suite("Leftovers of private files") struct LeftoverTests {
    private static let leftovers = [".key.0.tmp", ".key.0123456789abcdef.tmp", ".key.ffffffffffffffff.tmp"]
    /// Names of another form, or of the leftovers of other files.
    private static let others = [
        ".key.tmp", ".key..tmp", ".key.0A.tmp", ".key.g.tmp", ".key.1.tmp.1", ".key.01234567890123456.tmp",
        ".key.1-tmp", "key.1.tmp", "..key.1.tmp", ".key.next.1.tmp", ".other.1.tmp", ".keys.1.tmp",
    ]

    @Test(arguments: ["create", "replace", "move", "remove"]) func theyAreRemoved(call: String) throws {
        let folder = try TemporaryFolder()
        let (file, next) = (PrivateFile(path: folder["key"]), PrivateFile(path: folder["key.next"]))
        if call != "create" { try file.create([1]) }
        if call == "move" { try next.create([2]) }
        for name in Self.leftovers + Self.others { try folder.write(name, "secret") }
        switch call {
        case "create": try file.create([3])
        case "replace": try file.replace([3])
        case "move": try file.replace(by: next)
        default: try file.remove()
        }
        var expected = Self.others.filter { call != "move" || $0 != ".key.next.1.tmp" }
        if call != "remove" { expected.append("key") }
        #expect(folder.names == expected.sorted())
    }

    /// A process that ends between two calls leaves its key under both names.
    @Test func theContentsOfAnOldKeyAreGone() throws {
        let folder = try TemporaryFolder()
        let (file, next) = (PrivateFile(path: folder["key"]), PrivateFile(path: folder["key.next"]))
        try file.create([1])
        try #require(unsafe link(folder["key"], folder[".key.12ab.tmp"]) == 0)
        try next.create([2])
        try file.replace(by: next)
        #expect(folder.names == ["key"])
        #expect(try file.read() == [2])
    }

    @Test func whatIsNoFileOfThisUserStays() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", "old")
        try #require(unsafe mkdir(folder[".key.1.tmp"], 0o700) == 0)
        try #require(unsafe symlink(folder["old"], folder[".key.2.tmp"]) == 0)
        try #require(unsafe mkfifo(folder[".key.3.tmp"], 0o600) == 0)
        var expected = [".key.1.tmp", ".key.2.tmp", ".key.3.tmp", "key", "old"]
        if geteuid() == 0 {
            try folder.write(".key.4.tmp", "foreign")
            try #require(unsafe chown(folder[".key.4.tmp"], 1, 1) == 0)
            expected.append(".key.4.tmp")
        }
        try PrivateFile(path: folder["key"]).replace([1])
        #expect(folder.names == expected.sorted())
    }

    /// Another process may write the same file just now.
    @Test func whatIsStillWrittenStays() throws {
        let folder = try TemporaryFolder()
        let file = PrivateFile(path: folder["key"])
        let directory = try Directory.open(of: file)
        try directory.write([1]) { temporary in
            #expect((try? file.replace([2])) != nil)
            #expect(folder.names == [temporary, "key"])
            return directory.rename(temporary, "key")
        }
        #expect(try file.read() == [1])
        #expect(folder.names == ["key"])
    }

    /// Where a file needs no name until it is whole, it can have any that the file system can hold.
    @Test func aNewFileHasNoOtherName() throws {
        let folder = try TemporaryFolder()
        let probe = PrivateFile(path: folder["probe"])
        guard try Directory.open(of: probe).writeUnnamed([], as: "probe") else { return }
        let name = String(repeating: "k", count: 250)
        let file = PrivateFile(path: folder[name])
        try file.create([1])
        #expect(try file.read() == [1])
        #expect(try folder.mode(name) == 0o600)
        #expect(folder.names == [name, "probe"])
    }

    @Test func aFileSystemWithoutSuchFilesWillDo() throws {
        let folder = try TemporaryFolder()
        let file = PrivateFile(path: folder["key"])
        let directory = try Directory.open(of: file)
        try directory.write([1]) { directory.link($0, "key") }
        #expect(try file.read() == [1])
        #expect(folder.names == ["key"])
        #expect(try folder.mode("key") == 0o600)
        #expect(throws: FileStorageError.self) { try directory.write([2]) { directory.link($0, "key") } }
        #expect(folder.names == ["key"])
    }
}

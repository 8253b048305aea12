import Glibc
import HTTPMessages
import TestSupport
import Testing

@Suite("Files of contents", .timeLimit(.minutes(1))) struct ContentFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A pipe that nobody writes to is not waited for.
    @Test(
        arguments: [
            ("absent", .unopened), ("a\0b", .unopened), ("folder", .notRegular), ("pipe", .notRegular),
        ] as [(String, ContentFile.Fault.Reason)]
    )
    func whatIsNoFileIsRefused(name: String, reason: ContentFile.Fault.Reason) throws {
        #expect(unsafe mkfifo(folder["pipe"], 0o600) == 0)
        #expect(unsafe mkdir(folder["folder"], 0o700) == 0)
        let fault = caught { () throws(ContentFile.Fault) in try ContentFile(folder[name]) }
        #expect(fault?.reason == reason)
        #expect(fault?.errorNumber == (name == "absent" ? ENOENT : nil))
    }

    @Test(arguments: [0, 1, 65_536, 200_000]) func aFileIsReadPieceByPieceOrWhole(count: Int) throws {
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let path = try folder.write("file", content)
        let file = try ContentFile(path)
        var pieces: [UInt8] = []
        while let piece = try file.read(upTo: 70_000) { pieces += piece }
        #expect(file.length == count && pieces == content)
        #expect(try ContentFile(path).contents(upTo: count) == content)
        #expect(try ContentFile(path).contents(upTo: count - 1) == nil)
    }

    /// Such a file has no length, and yet a content.
    @Test func aFileThatGrowsIsReadToItsEnd() throws {
        let file = try ContentFile("/proc/self/auxv")
        #expect(file.length == 0)
        let content = try #require(try file.contents(upTo: 1 << 20))
        #expect(content.count > 16)
        #expect(try ContentFile("/proc/self/auxv").contents(upTo: content.count - 1) == nil)
    }
}

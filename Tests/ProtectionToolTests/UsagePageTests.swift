import FoundationEssentials
import TestSupport
import Testing

/// What USAGE.md says to type works as it stands there, in that order, from an empty folder.
@Suite("Command lines of USAGE.md", .timeLimit(.minutes(2))) struct UsagePageTests {
    @Test func theCommandsCanBeTypedInOrder() async throws {
        let page = try String(contentsOfFile: PackageFolders.root + "/USAGE.md", encoding: .utf8)
        let start = try #require(page.firstRange(of: "```sh\nswift build -c release --product protection"))
        let block = page[start.lowerBound...].split(separator: "\n", omittingEmptySubsequences: false)
        let lines = block.dropFirst(2).prefix { $0 != "```" }
        #expect(lines.count { $0.hasPrefix("protection ") } >= 10)
        let folder = try TemporaryFolder()
        let result = try await Shell.run("set -eu\n" + lines.joined(separator: "\n") + "\n", in: folder)
        #expect(result.exit == 0 && result.errors == "", "\(result.errors)")
        #expect(result.output.contains("VERIFIED"))
    }
}

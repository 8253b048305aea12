import AppAttestationClient
import Encodings
import HTTPServing
import TestSupport
import Testing

@Suite("Several processes, and the end of one", .timeLimit(.minutes(5))) struct ProcessTests {
    let folder: TemporaryFolder
    let authority: TestAuthority
    let server: HTTPServer

    init() throws {
        let authority = try TestAuthority()
        folder = try TemporaryFolder()
        self.authority = authority
        server = try HTTPServer { await authority.respond(to: $0) }
    }

    /// Runs a process to its end, or to where it ends itself.
    private func peer(_ step: String = "-", count: Int) async throws -> (status: Int32, lines: [String]) {
        let command = try await Command.run(
            PackageFolders.products + "/AttestationClientPeer",
            [server.url, folder.path, step, "\(count)"]
        )
        return (command.status, command.output.split(separator: "\n").map(String.init))
    }

    private func counters(_ lines: some Sequence<String>) throws -> [UInt32] {
        try lines.map { try ServiceTests.counter(of: Base64.standard.decode($0)) }
    }

    @Test func processesShareOneKeyAndCountTogether() async throws {
        let outputs = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let (status, lines) = try await peer(count: 25)
                    #expect(status == 0 && lines.count == 26, "\(lines)")
                    return lines
                }
            }
            return try await group.reduce(into: [[String]]()) { $0.append($1) }
        }
        let keyIDs = Set(outputs.compactMap(\.first))
        #expect(keyIDs.count == 1)
        #expect(await authority.keyIDs == Array(keyIDs))
        #expect(await authority.challengeCount == 1)
        #expect(folder.namesWithoutLocks.filter { $0.hasSuffix(".key") }.count == 1)
        var all: [UInt32] = []
        for output in outputs {
            let own = try counters(output.dropFirst())
            #expect(own == own.sorted())
            all += own
        }
        #expect(all.sorted() == Array(1...100))
    }

    @Test(arguments: ["generated", "recorded", "challenged", "attested", "submitted", "kept"])
    func anEndAtAnyStepOfTheAttestationIsRecoveredFrom(step: String) async throws {
        let (status, lines) = try await peer(step, count: 0)
        #expect(status == -1 && lines.isEmpty, "\(lines)")
        let (next, output) = try await peer(count: 1)
        #expect(next == 0 && output.count == 2, "\(output)")
        let keyID = try #require(output.first)
        // One key is attested; only one that nobody heard of may be left behind.
        #expect(await authority.keyIDs == [keyID])
        let keys = folder.namesWithoutLocks.filter { $0.hasSuffix(".key") }
        #expect(keys.count == (step == "generated" ? 2 : 1))
        #expect(!folder.namesWithoutLocks.contains { $0.hasSuffix(".tmp") })
        let counter = try await authority.verify(
            Base64.standard.decode(output[1]),
            clientDataHash: Fixture.hash,
            keyID: keyID
        )
        #expect(counter == 1)
    }

    @Test func anEndAfterAnAssertionLosesItsNumberOnly() async throws {
        let (status, lines) = try await peer("asserted", count: 1)
        #expect(status == -1 && lines.count == 1)
        let (_, output) = try await peer(count: 2)
        #expect(try counters(output.dropFirst()) == [2, 3])
        #expect(output.first == lines.first)
    }

    @Test func anEndInTheMiddleNeverGivesANumberTwice() async throws {
        var last: UInt32 = 0
        for _ in 0..<10 {
            let (status, lines) = try await peer("racing", count: 100_000)
            #expect(status == -1)
            // Each line was written in one go.
            let whole = try counters(lines.dropFirst())
            #expect(whole.count >= 20 && whole == whole.sorted() && Set(whole).count == whole.count)
            #expect(try #require(whole.first) > last)
            last = try #require(whole.last)
        }
        #expect(await authority.keyIDs.count == 1)
        // What a stop left behind has a name that does not count.
        let (_, output) = try await peer(count: 1)
        #expect(try #require(counters(output.dropFirst()).first) > last)
    }
}

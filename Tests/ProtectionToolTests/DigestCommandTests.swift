import Encodings
import MessageSignatures
import Testing
import TestSupport

@testable import ProtectionCommands

@Suite("digest", .timeLimit(.minutes(2))) struct DigestCommandTests {
    private static let sha256 = "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:"
    private static let sha512 =
        "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:"

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("body.json", Messages.body)
    }

    @Test(arguments: [
        ([], sha256), (["--alg", "sha-256"], sha256), (["--alg", "sha-512"], sha512),
        (["--alg", "sha-512,sha-256"], sha256 + ", " + sha512),
    ])
    func theValuesOfTheStandard(options: [String], expected: String) async throws {
        let file = await Run(["digest"] + options + [folder["body.json"]])
        #expect(file.exit == .ok && file.line == expected && file.errors == "")
        let input = await Run(["digest"] + options + ["-"], input: Messages.body)
        #expect(input.line == expected)
        let json = await Run(["digest", "--json"] + options + ["-"], input: Messages.body)
        #expect(try json.json()["digest"] == .string(expected))
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 200_000])
    func aFileIsReadInPieces(count: Int) async throws {
        var random = SeededGenerator(seed: UInt64(count))
        let octets = (0..<count).map { _ in UInt8.random(in: 0x20...0x7E, using: &random) }
        try folder.write("file", octets)
        let expected = try DigestField(of: octets, using: [.sha256, .sha512]).serialized
        let options = ["digest", "--alg", "sha-256,sha-512"]
        #expect(await Run(options + [folder["file"]]).line == expected)
        let input = String(decoding: octets, as: UTF8.self)
        #expect(await Run(options + ["-"], input: input).line == expected)
    }

    @Test func aFileIsChecked() async throws {
        let check = ["digest", "--check", "md5=:AAAA:, \(Self.sha256), \(Self.sha512)", folder["body.json"]]
        let text = await Run(check)
        #expect(text.exit == .ok && text.line == "VERIFIED sha-256, sha-512")
        let json = try await Run(check + ["--json"]).json()
        #expect(json["verified"] == true && json["algorithms"] == ["sha-256", "sha-512"])
    }

    @Test(arguments: [
        ("sha-256=:AAAA:", "contentDigestMismatch"),
        ("sha-256=:AAAA:, " + sha512, "contentDigestMismatch"),
        ("md5=:AAAA:", "noSupportedDigestAlgorithm"), ("", "noSupportedDigestAlgorithm"),
        ("sha-256=AAAA", "malformedContentDigest"), (sha256 + ", sha-256=:AAAA:", "contentDigestMismatch"),
    ])
    func aCheckThatFailsSaysWhy(value: String, code: String) async throws {
        let run = await Run(["digest", "--check", value, "--json", folder["body.json"]])
        #expect(run.exit == .refused)
        #expect(try run.errorCode() == code)
        let text = await Run(["digest", "--check", value, folder["body.json"]])
        #expect(text.exit == .refused && text.output == "" && text.errors.contains("\(code): "))
    }

    @Test(arguments: [
        ["--alg", "md5"], ["--alg", "sha-256,"], ["--alg", "sha-256,sha-256"], ["--alg", ""],
        ["--alg", "sha-256", "--check", sha256],
    ])
    func optionsThatMeanNothing(options: [String]) async throws {
        #expect(await Run(["digest"] + options + [folder["body.json"]]).exit == .usage)
    }

    @Test func aFileThatIsNotThereIsTrouble() async throws {
        let run = await Run(["digest", "--json", folder["absent"]])
        #expect(run.exit == .trouble)
        #expect(try run.errorCode() == "unreadable")
    }
}

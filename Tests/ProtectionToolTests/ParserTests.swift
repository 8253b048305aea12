import Encodings
import TestSupport
import Testing

@testable import ProtectionCommands

@Suite("Command lines", .timeLimit(.minutes(2))) struct ParserTests {
    private static let faults: [(line: String, message: String)] = [
        ("", "a command is missing: config, token"),
        ("token", "a command is missing: mint, show, verify"),
        ("tokn mint", "did you mean 'protection token'?"),
        ("token mnt", "did you mean 'protection token mint'?"),
        ("token mint x", "the option --key is missing"),
        ("token mint --key", "--key needs a value"),
        ("token mint --kye f", "did you mean --key?"),
        ("token mint --zzzzzz", "there is no option --zzzzzz\n"),
        ("token mint -x", "there is no option -x"),
        ("token mint --kid k -xv", "there is no option -x"),
        ("token mint --json=yes --key f", "--json takes no value"),
        ("token mint --key a --key b", "the option --key stands twice"),
        ("token mint --key a --alg none", "--alg takes one of HS256"),
        ("token mint --key a b", "there are too many arguments"),
        ("token mint --key a --lifetime 0", "--lifetime takes a whole number from 1"),
        ("token mint --key a --lifetime -5", "--lifetime takes a whole number from 1"),
        ("token mint --key a --lifetime 99999999999999999999", "--lifetime takes a whole number from 1"),
        ("token mint --key a --at today", "--at takes a date such as"),
        ("token mint --key a --bind-env A --bind-header-file b", "exclude each other"),
        ("token show", "FILE is missing"),
        ("token show a b", "there are too many arguments"),
        ("token verify --audience a t", "--key or --jwks says what to verify with"),
        ("token verify --key a --jwks b --audience a t", "exclude each other"),
        ("token verify --jwks b --secret-format hex --audience a t", "--secret-format belongs to --key"),
        ("request", "URL is missing"),
        ("request --token x y", "--token is short for several: --token-file, --token-header, --token-prefix"),
        ("request -X", "--request needs a value"),
        ("request ftp://x.test", "unsupportedScheme"),
        ("request https://user@x.test", "userInfoNotAllowed"),
        ("request -X A;B https://x.test", "invalidMethod"),
        ("request -H Name https://x.test", "without the colon"),
        ("request -H N=1:2 https://x.test", "invalidFieldName"),
        ("request --max-time 0 https://x.test", "--max-time takes seconds"),
        ("request --max-time -1e5 https://x.test", "--max-time takes seconds"),
        ("request --bind A https://x.test", "--bind needs --config"),
        ("request --token-file f https://x.test", "--token-file needs --config"),
        ("completion tcsh", "SHELL is one of bash, zsh, fish"),
        ("config make --authority x --account a --host h --key k", "--authority: "),
        ("config make --authority https://a.test --account a --host *. --key k", "--host: "),
        ("config make --authority https://a.test --account a --host h --pin h --key k", "--pin takes"),
        ("config make --authority https://a.test --account a --host h --pin h=AAAA --key k", "--pin takes"),
        ("--nothing", "there is no option --nothing"),
    ]

    @Test(arguments: faults) func aLineThatCannotBeUnderstoodEndsWithTwo(
        line: String,
        message: String
    ) async throws {
        let arguments = line.split(separator: " ").map(String.init)
        let run = await Run(arguments)
        #expect(run.exit == .usage && run.output == "")
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(run.errors.contains("usage: protection"))
        // The same as JSON, on standard output, where the option does not become a value.
        guard !message.hasSuffix("needs a value"), !line.contains("=yes") else { return }
        let json = await Run(arguments + ["--json"])
        #expect(try json.exit == .usage && json.errorCode() == "usage")
    }

    @Test func optionsStandAnywhereAndMayBeShortened() async throws {
        let folder = try TemporaryFolder()
        try await Keys.write(to: folder)
        let token = try folder.write("t", try await Keys.token(folder))
        let key = folder["public.pem"]
        let lines = [
            ["token", "verify", token, "--key", key, "--audience=api.example.com"],
            ["token", "verify", "--key=\(key)", token, "--aud", "api.example.com"],
            ["token", "verify", "--key", key, "--audience", "api.example.com", "--", token],
        ]
        for line in lines { #expect(await Run(line).exit == .ok) }
    }

    @Test func linesAreReadSideBySide() async {
        await withTaskGroup(of: Bool.self) { group in
            for index in 0..<64 {
                group.addTask {
                    let run = await Run(["token", "mint", "--nothing\(index)"])
                    return run.exit == .usage && run.errors.contains("there is no option --nothing\(index)\n")
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test func controlCharactersDoNotReachTheTerminal() async {
        for arguments in [
            ["\u{1B}[2J"], ["token", "mint", "--\u{1B}[2J"], ["token", "mint", "-\u{1B}"],
            ["config", "show", "/\u{1B}[2J"],
        ] {
            let run = await Run(arguments)
            #expect(!run.errors.contains("\u{1B}") && run.errors.contains(#"\u{1b}"#))
        }
    }

    @Test(
        arguments: [
            ("2026-01-01T00:00:00Z", 1_767_225_600), ("1970-01-01T00:00:00Z", 0), ("0", 0),
            ("1767225600", 1_767_225_600), ("2024-02-29T23:59:59Z", 1_709_251_199),
            ("2026-01-01T01:30:00+01:30", 1_767_225_600), ("2025-12-31T19:00:00-05:00", 1_767_225_600),
            ("9999-12-31T23:59:59Z", 253_402_300_799), ("2000-03-01T00:00:00Z", 951_868_800),
        ] as [(String, Int64)]
    )
    func aDateIsRead(text: String, seconds: Int64) {
        #expect(Timestamp.seconds(text) == seconds)
        #expect(Timestamp.seconds(Timestamp.text(seconds)) == seconds)
    }

    @Test(arguments: [
        "", "now", "-1", "1.5", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01 00:00:00Z",
        "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-04-31T00:00:00Z",
        "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00z",
        "2026-01-01T00:00:00+24:00", "1969-12-31T23:59:59Z", "2026-01-01T00:00:00.5Z", "253402300800",
        "9999-12-31T23:59:59-00:01", "\u{0660}", "99999999999999999999",
    ])
    func anotherTextIsNoDate(text: String) { #expect(Timestamp.seconds(text) == nil) }

    @Test func everyDayIsWrittenAndRead() {
        for day in stride(from: Int64(0), to: 2_932_896, by: 97) {
            #expect(Timestamp.seconds(Timestamp.text(day * 86_400 + 1)) == day * 86_400 + 1)
        }
    }

    @Test(
        arguments: [
            ("kye", "key"), ("jso", "json"), ("audeince", "audience"), ("xyz", nil), ("", nil),
            ("verfy", "verify"),
        ] as [(String, String?)]
    )
    func theNearestNameIsSuggested(word: String, name: String?) {
        #expect(Suggestion.nearest(to: word, among: ["key", "json", "audience", "verify"]) == name)
    }
}

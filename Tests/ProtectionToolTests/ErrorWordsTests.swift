import Cryptography
import TestSupport
import Testing

@testable import ProtectionCommands

/// An error says what it is about, in words that can be searched for.
@Suite("Words of errors", .timeLimit(.minutes(2))) struct ErrorWordsTests {
    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        try await Keys.write(to: folder)
    }

    @Test func aPrivateKeyNeedsAFile() async {
        let run = await Run(["keys", "new", "-"])
        #expect(run.exit == .usage && run.errors.contains("a private key is not written to standard output"))
    }

    @Test func aKeyFileThatIsThereIsNamed() async {
        let run = await Run(["keys", "new", folder["private.pem"]])
        #expect(run.exit == .refused)
        #expect(run.errors.contains("\(folder["private.pem"]) exists already and is not overwritten"))
        #expect(!run.errors.contains(".lock"))
    }

    @Test func thePathIsTheGivenOneWhereThereIsNoDirectory() async {
        let run = await Run(["keys", "new", folder["absent/key"]])
        #expect(run.errors.contains("\(folder["absent/key"]): ") && !run.errors.contains(".lock"))
    }

    @Test func thePublicHalfAloneIsAKeyForAConfiguration() async throws {
        let key = try Keys.signing.get().publicKey
        let run = await Run(["keys", "show", "--pem", folder["private.pem"]])
        #expect(run.exit == .ok && run.errors == "" && run.output == key.pem)
        try folder.write("shown.pem", run.output)
        let configuration = await Run([
            "config", "make", "--authority", "https://authority.example", "--account", "demo", "--host",
            "api.example.com", "--key", folder["shown.pem"],
        ])
        #expect(configuration.exit == .ok, "\(configuration.errors)")
        #expect(await Run(["keys", "show", "--pem", "--json", folder["private.pem"]]).exit == .usage)
    }

    @Test(arguments: [
        (["attest", "show"], "CBOR"),
        (["attest", "receipt", "--app-id", "a.b", "--public-key", "k"], "DER or CBOR"),
    ])
    func anObjectThatIsNoneIsNamed(arguments: [String], form: String) async throws {
        try folder.write("text", "neither")
        let run = await Run(arguments + [folder["text"]])
        #expect(run.exit == .refused)
        let words = "the object \(folder["text"]) is neither \(form) nor Base 64, at 7"
        #expect(run.errors.contains(words), "\(run.errors)")
        let input = await Run(arguments + ["-"], input: "a b\n")
        #expect(input.errors.contains("the object of standard input is neither \(form) nor Base 64, at 3"))
    }

    @Test func whatIsNotThereIsNamed() async throws {
        let message = "GET / HTTP/1.1\r\nHost: example.com\r\n\r\n"
        let sign = ["signature", "sign", "--key", folder["private.pem"], "--components", #""@method""#, "-"]
        let signed = await Run(sign, input: message).output
        let verify = ["signature", "verify", "--key", folder["public.pem"]]
        for arguments in [verify, ["signature", "base"]] {
            let run = await Run(arguments + ["--label", "b\u{1B}", "-"], input: signed)
            #expect(
                run.errors.contains(#"the message has no signature of the label 'b\u{1b}'"#),
                "\(run.errors)"
            )
        }
        try folder.write("policy.json", #"{"requiredComponents":[],"maximumage\u001b":1}"#)
        let policy = await Run(verify + ["--policy", folder["policy.json"], "-"], input: signed)
        #expect(policy.errors.contains(#"a member that is not known: maximumage\u{1b}"#), "\(policy.errors)")
        for option in [[], ["--credentials", folder["aws.ini"]]] {
            try folder.write("aws.ini", "[default]\naws_access_key_id = a\naws_secret_access_key = b\n")
            let run = await Run(
                ["aws", "sign", "--region", "r", "--profile", "wrk\u{1B}"] + option + ["-"],
                input: message,
                environment: ["AWS_SHARED_CREDENTIALS_FILE": folder["aws.ini"]]
            )
            #expect(run.errors.contains(#"there is no profile 'wrk\u{1b}'"#), "\(run.errors)")
        }
    }

    @Test func anUnknownCommandIsToldOnceWhatThereIs() async {
        let help = await Run(["help", "foo"])
        #expect(help.exit == .usage)
        #expect(
            help.errors.split(separator: "\n").count { $0.contains("usage: protection") } == 1,
            "\(help.errors)"
        )
        let config = await Run(["config", "bogus"])
        #expect(config.exit == .usage && config.errors.contains("'config bogus', but: make, show"))
        // The other errors of the line still say how the command is called.
        let words = await Run(["help", "token", "mint", "more"])
        #expect(words.errors.contains("usage: protection help"))
    }

    @Test func pinsAreThoseOfHTTPS() async {
        let run = await Run(["pins", "http://localhost:1/path?secret"])
        #expect(run.exit == .usage && run.errors.contains("localhost:1 is to be asked by http"))
        #expect(!run.errors.contains("secret"))
    }

    @Test(arguments: [
        "AWS_PROFILE", "AWS_REGION", "AWS_SESSION_TOKEN", "AWS_CONFIG_FILE", "TPM2OPENSSL_TCTI",
    ])
    func theManualNamesTheVariables(name: String) throws {
        let environment = try #require(ManPage.text.components(after: ".SH ENVIRONMENT"))
        #expect(environment.contains(name))
    }

    @Test func everyChoiceIsNamedOnce() throws {
        let verify = try #require(CommandTable.command(at: ["attest", "verify"]))
        let option = try #require(verify.options.first { $0.long == "environment" })
        let text = HelpText.description(of: option)
        #expect(text == "the environment of App Attest, by default production: development, production")
    }
}

extension String {
    fileprivate func components(after mark: String) -> Substring? {
        firstRange(of: mark).map { self[$0.upperBound...] }
    }
}

import Encodings
import TestSupport
import Testing

@testable import ProtectionCommands

@Suite("Policies of signature verify", .timeLimit(.minutes(2))) struct PolicyFileTests {
    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        try await Keys.write(to: folder)
    }

    private func verify(_ policy: String, mode: UInt32 = 0o600, _ options: [String] = []) async throws -> Run
    {
        let signed = await Run(
            [
                "signature", "sign", "--key", folder["private.pem"], "--components", Messages.components,
                "--digest", "sha-256", "--tag", "app", "--keyid", "k", "--nonce", "n", "-",
            ],
            input: Messages.request
        )
        try #require(signed.exit == .ok)
        let path = try folder.write("p.json", policy, mode: mode)
        return await Run(
            ["signature", "verify", "--key", folder["public.pem"], "--policy", path, "--json"] + options + [
                "-"
            ],
            input: signed.output
        )
    }

    private static let fulfilled = [
        #""requiredParameters":["created","nonce"]"#, #""forbiddenParameters":["expires"]"#,
        #""requiredTag":"app""#, #""maximumAge":0"#, #""clockSkew":5"#,
        #""allowedAlgorithms":["ecdsa-p256-sha256","ed25519"]"#, #""trustedKeyIdentifiers":["k"]"#,
        #""minimumDigest":"sha-256""#, #""checksContentDigest":true"#, #""checksReprDigest":true"#,
        #""externalOrigin":"https://example.com""#, #""readsTrailers":false"#,
        #""acceptsStringSignatures":true"#,
        #""fieldTypes":{"x-d":"dictionary","x-l":"list","x-i":"item"}"#,
    ]

    @Test(arguments: fulfilled) func aMemberThatIsFulfilled(member: String) async throws {
        let run = try await verify(#"{"requiredComponents":["\"@method\""],\#(member)}"#)
        #expect(run.exit == .ok, "\(run.output)")
    }

    @Test func allMembersTogether() async throws {
        let members = [#""requiredComponents":["\"content-digest\""]"#] + Self.fulfilled
        #expect(try await verify("{\(members.joined(separator: ","))}").exit == .ok)
    }

    @Test(arguments: [
        (#""requiredParameters":["expires"]"#, "requiredParameterMissing"),
        (#""forbiddenParameters":["nonce"]"#, "forbiddenParameter"),
        (#""requiredTag":"other""#, "tagMismatch"),
        (#""allowedAlgorithms":["ed25519"]"#, "algorithmNotAllowed"),
        (#""allowedAlgorithms":[]"#, "algorithmNotAllowed"), (#""trustedKeyIdentifiers":[]"#, "unknownKey"),
        (#""minimumDigest":"sha-512""#, "noSupportedDigestAlgorithm"),
        (#""externalOrigin":"https://api.example.com""#, "signatureInvalid"),
        (#""readsTrailers":true"#, "unsignedMessage"),
    ])
    func aMemberThatIsNot(member: String, code: String) async throws {
        let run = try await verify(#"{"requiredComponents":[],\#(member)}"#)
        #expect(run.exit == .refused)
        #expect(try run.errorCode() == code)
    }

    @Test func timesCount() async throws {
        let policy = #"{"requiredComponents":[],"maximumAge":60,"clockSkew":5}"#
        #expect(try await verify(policy, ["--at", "1767225665"]).exit == .ok)
        #expect(try await verify(policy, ["--at", "1767225666"]).errorCode() == "tooOld")
        #expect(try await verify(policy, ["--at", "1767225595"]).exit == .ok)
        #expect(try await verify(policy, ["--at", "1767225594"]).errorCode() == "createdInFuture")
    }

    @Test func aComponentMustBeCovered() async throws {
        let run = try await verify(#"{"requiredComponents":["\"@path\""]}"#)
        #expect(try run.errorCode() == "requiredComponentMissing")
    }

    @Test(arguments: [
        "[]", "{}", #"{"requiredComponents":{}}"#, #"{"requiredComponents":[1]}"#,
        #"{"requiredComponents":[],"requiredcomponents":[]}"#,
        #"{"requiredComponents":[],"isNonceNew":true}"#,
        #"{"requiredComponents":[],"maximumAge":-1}"#, #"{"requiredComponents":[],"maximumAge":"60"}"#,
        #"{"requiredComponents":[],"clockSkew":1.5}"#, #"{"requiredComponents":[],"requiredTag":null}"#,
        #"{"requiredComponents":[],"allowedAlgorithms":["ES256"]}"#,
        #"{"requiredComponents":[],"allowedAlgorithms":"ed25519"}"#,
        #"{"requiredComponents":[],"requiredParameters":["Created"]}"#,
        #"{"requiredComponents":[],"forbiddenParameters":[""]}"#,
        #"{"requiredComponents":[],"minimumDigest":"md5"}"#,
        #"{"requiredComponents":[],"checksContentDigest":1}"#,
        #"{"requiredComponents":[],"fieldTypes":[]}"#, #"{"requiredComponents":[],"fieldTypes":{"a":"map"}}"#,
    ])
    func aPolicyThatIsNotInItsFormIsRefused(policy: String) async throws {
        let run = try await verify(policy)
        #expect(run.exit == .refused)
        #expect(try run.errorCode() == "invalidPolicy")
    }

    @Test(arguments: [
        (#"{"requiredComponents":["@method"]}"#, "invalidComponentName"),
        (#"{"requiredComponents":["\"@metho\""]}"#, "unknownDerivedComponent"),
        (#"{"requiredComponents":[],"externalOrigin":"example.com"}"#, "malformedURL"),
        (#"{"requiredComponents":[],"requiredComponents":[]}"#, "duplicateMember"), ("{", "invalidJSON"),
    ])
    func aPartThatIsNotInItsFormIsRefused(policy: String, code: String) async throws {
        let run = try await verify(policy)
        #expect(run.exit == .refused)
        #expect(try run.errorCode() == code)
    }

    @Test func nobodyElseMayWriteThePolicy() async throws {
        let policy = #"{"requiredComponents":[]}"#
        #expect(try await verify(policy, mode: 0o644).exit == .ok)
        #expect(try await verify(policy, mode: 0o666).errorCode() == "unsafePermissions")
    }
}

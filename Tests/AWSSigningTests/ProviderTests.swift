import AWSSigning
import Cryptography
import FoundationEssentials
import HTTPMessages
import TestSupport
import Testing

extension TemporaryFolder {
    /// An environment that names the files of profiles in it.
    func environment(_ others: [String: String] = [:]) -> AWSEnvironment {
        AWSEnvironment(
            ["AWS_CONFIG_FILE": "\(path)/config", "AWS_SHARED_CREDENTIALS_FILE": "\(path)/credentials"]
                .merging(
                    others
                ) { $1 }
        )
    }
}

extension AWSCredentials {
    var secretText: String {
        secretAccessKey.withBytes { span in
            var octets: [UInt8] = []
            for index in span.indices { octets.append(span[index]) }
            return String(decoding: octets, as: UTF8.self)
        }
    }
}

@Suite("Credentials of environment and files") struct ProviderTests {
    private static let keys = ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "secret"]

    private func code(_ provider: any AWSCredentialsProvider) async throws -> AWSSigningError.Code? {
        await #expect(throws: AWSSigningError.self) { try await provider.credentials() }?.code
    }

    @Test func environment() async throws {
        let plain = try await EnvironmentCredentialsProvider(AWSEnvironment(Self.keys)).credentials()
        #expect(plain.accessKeyID == "AKID" && plain.secretText == "secret" && plain.sessionToken == nil)
        let token = try await EnvironmentCredentialsProvider(
            AWSEnvironment(Self.keys.merging(["AWS_SESSION_TOKEN": "TOK"]) { $1 })
        ).credentials()
        #expect(token.sessionToken == "TOK")
        #expect(AWSEnvironment(["AWS_REGION": "", "AWS_DEFAULT_REGION": "eu-west-1"]).region == "eu-west-1")
    }

    @Test(arguments: [
        ([:], AWSSigningError.Code.noCredentials),
        (["AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""], .noCredentials),
        (["AWS_ACCESS_KEY_ID": "AKID"], .invalidConfiguration),
        (["AWS_SECRET_ACCESS_KEY": "secret"], .invalidConfiguration),
        (["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "secret\n"], .invalidCredentials),
    ])
    func environmentsThatDoNotDo(variables: [String: String], code: AWSSigningError.Code) async throws {
        #expect(try await self.code(EnvironmentCredentialsProvider(AWSEnvironment(variables))) == code)
    }

    static let config = """
        # of the team
        ; and of others
        [default]
        region = eu-west-1   # near
        s3 =
          max_concurrent_requests = 20
          addressing_style = path
        [profile work]
        region=us-west-2
        aws_access_key_id = FROMCONFIG
        aws_secret_access_key = config/secret

        [profile   spaced  ]   ; comment
        AWS_Access_Key_ID\t=\tSPACED
        aws_secret_access_key = with#hash;and=equals

        [work]
        region = ignored
        [sso-session team]
        sso_region = us-east-1
        """

    static let shared = """
        [default]
        aws_access_key_id = DEFAULT
        aws_secret_access_key = default+/secret==
        aws_session_token = TOK

        [work]\r
        aws_access_key_id = FIRST
        aws_access_key_id = WORK\r
        [default]
        other = 1
        """

    @Test(
        arguments: [
            (nil, "DEFAULT", "default+/secret==", "TOK", "eu-west-1"),
            ("work", "WORK", "config/secret", nil, "us-west-2"),
            ("spaced", "SPACED", "with#hash;and=equals", nil, nil),
        ] as [(String?, String, String, String?, String?)]
    )
    func profiles(name: String?, key: String, secret: String, token: String?, region: String?) async throws {
        let folder = try TemporaryFolder(["config": Self.config, "credentials": Self.shared])
        let environment = folder.environment(name.map { ["AWS_PROFILE": $0] } ?? [:])
        for provider in [
            ProfileCredentialsProvider(name, environment: folder.environment()),
            ProfileCredentialsProvider(environment: environment),
        ] {
            let credentials = try await provider.credentials()
            #expect(credentials.accessKeyID == key && credentials.secretText == secret)
            #expect(credentials.sessionToken == token)
        }
        let profile = try AWSProfile(name, environment: folder.environment())
        #expect(profile.region == region)
        #expect(!"\(profile)".contains(secret))
    }

    @Test func theHomeFolderHoldsTheFiles() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/.aws",
            withIntermediateDirectories: true
        )
        try folder.write(".aws/credentials", "[default]\naws_access_key_id=A\naws_secret_access_key=s")
        let environment = AWSEnvironment(["HOME": folder.path])
        #expect(
            try await ProfileCredentialsProvider(environment: environment).credentials().accessKeyID == "A"
        )
        #expect(
            try await code(ProfileCredentialsProvider(environment: AWSEnvironment([:]))) == .noCredentials
        )
    }

    @Test func theWrittenOutDefaultHidesTheShortOne() throws {
        let folder = try TemporaryFolder([
            "config": "[default]\nregion = short\n[profile default]\nother = 1\n"
        ])
        #expect(try AWSProfile(environment: folder.environment()).region == nil)
    }

    @Test(arguments: [
        ("region = a", AWSSigningError.Code.invalidConfiguration), (" region = a", .invalidConfiguration),
        ("[default", .invalidConfiguration), ("[default] x", .invalidConfiguration),
        ("[default]\nregion", .invalidConfiguration), ("[default]\n= a", .invalidConfiguration),
        ("[default]\n  goes on", .invalidConfiguration),
        ("[default]\naws_access_key_id = A", .invalidConfiguration),
        ("[default]\naws_secret_access_key = s", .invalidConfiguration),
        ("[default]\nregion = a", .noCredentials), ("", .noCredentials), ("# nothing\n", .noCredentials),
        ("[default]\naws_access_key_id =\naws_secret_access_key =", .noCredentials),
        ("[default]\ncredential_process = /bin/false", .unsupportedProfile),
        ("[default]\nsso_session = team", .unsupportedProfile),
        ("[default]\nrole_arn = a\nsource_profile = b", .unsupportedProfile),
        ("[default]\naws_access_key_id = A B\naws_secret_access_key = s", .invalidCredentials),
        ("[default]\naws_access_key_id = A\naws_secret_access_key = s\n more", .invalidCredentials),
    ])
    func filesThatDoNotDo(content: String, code: AWSSigningError.Code) async throws {
        let folder = try TemporaryFolder(["credentials": content])
        #expect(try await self.code(ProfileCredentialsProvider(environment: folder.environment())) == code)
    }

    @Test func aProfileThatWasAskedForMustBeThere() async throws {
        let folder = try TemporaryFolder([
            "credentials": "[other]\naws_access_key_id = A\naws_secret_access_key = s"
        ])
        for provider in [
            ProfileCredentialsProvider("mine", environment: folder.environment()),
            ProfileCredentialsProvider(environment: folder.environment(["AWS_PROFILE": "mine"])),
        ] {
            #expect(try await code(provider) == .unsupportedProfile)
        }
    }

    @Test func filesThatCannotBeTrusted() async throws {
        let folder = try TemporaryFolder()
        let content = "[default]\naws_access_key_id = A\naws_secret_access_key = s"
        try folder.write("credentials", content, mode: 0o602)
        #expect(
            try await code(ProfileCredentialsProvider(environment: folder.environment())) == .unreadableFile
        )
        let directory = AWSEnvironment(["AWS_SHARED_CREDENTIALS_FILE": folder.path])
        #expect(try await code(ProfileCredentialsProvider(environment: directory)) == .unreadableFile)
        try folder.write("credentials", String(repeating: "#", count: 1 << 20 + 1))
        #expect(
            try await code(ProfileCredentialsProvider(environment: folder.environment())) == .unreadableFile
        )
        try folder.write("config", [0xFF, 0xFE])
        let config = AWSEnvironment(["AWS_CONFIG_FILE": "\(folder.path)/config"])
        #expect(try await code(ProfileCredentialsProvider(environment: config)) == .invalidConfiguration)
    }

    @Test func aChainStopsWhereSomethingIsBroken() async throws {
        let nothing = EnvironmentCredentialsProvider(AWSEnvironment([:]))
        let broken = EnvironmentCredentialsProvider(AWSEnvironment(["AWS_ACCESS_KEY_ID": "A"]))
        let good = StaticCredentialsProvider(try Example.credentials("GOOD"))
        let last = StaticCredentialsProvider(try Example.credentials("LAST"))
        let found = try await ChainedCredentialsProvider([nothing, good, last]).credentials()
        #expect(found.accessKeyID == "GOOD")
        #expect(try await code(ChainedCredentialsProvider([nothing, broken, good])) == .invalidConfiguration)
        #expect(try await code(ChainedCredentialsProvider([nothing, nothing])) == .noCredentials)
    }

    @Test func theStandardChainAsksInOrder() async throws {
        let session = TestSession { _, _ in throw CancellationError() }
        let folder = try TemporaryFolder([
            "credentials": "[default]\naws_access_key_id = FILE\naws_secret_access_key = s"
        ])
        let first = ChainedCredentialsProvider.standard(
            session: session,
            environment: folder.environment(Self.keys)
        )
        #expect(try await first.credentials().accessKeyID == "AKID")
        let second = ChainedCredentialsProvider.standard(session: session, environment: folder.environment())
        #expect(try await second.credentials().accessKeyID == "FILE")
        #expect(session.requests.isEmpty)
    }
}

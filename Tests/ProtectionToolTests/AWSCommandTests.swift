import Encodings
import TestSupport
import Testing

@testable import ProtectionCommands

@Suite("aws", .timeLimit(.minutes(2))) struct AWSCommandTests {
    private static let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    private static let token = "token-of-the-session"
    private static let environment = [
        "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE", "AWS_SECRET_ACCESS_KEY": secret,
        "AWS_REGION": "us-east-1",
    ]
    private static let get = "GET /test.txt HTTP/1.1\r\nHost: examplebucket.s3.amazonaws.com\r\n\r\n"

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func run(
        _ options: [String],
        _ input: String = get,
        environment: [String: String] = environment
    ) async -> Run {
        await Run(["aws"] + options + ["-"], input: input, environment: environment)
    }

    /// The scope in `Authorization`, or in a signed URL as it stands there.
    private func scope(_ run: Run) throws -> String {
        let separator = run.output.contains("X-Amz-Credential=") ? "%2F" : "/"
        let rest = try #require(run.output.split(separator: "Credential=").last)
        let text = try #require(rest.split(whereSeparator: { ",& \n\"".contains($0) }).first)
        return text.split(separator: separator).joined(separator: "/")
    }

    // MARK: - Published values

    /// The examples of AWS's test suite and of its documentation of S3.
    @Test func aPublishedHeaderIsMade() async throws {
        var environment = Self.environment
        environment["AWS_ACCESS_KEY_ID"] = "AKIDEXAMPLE"
        environment["AWS_SECRET_ACCESS_KEY"] = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
        let run = await run(
            ["sign", "--service", "service", "--at", "2015-08-30T12:36:00Z"],
            "GET / HTTP/1.1\nHost: example.amazonaws.com\n\n",
            environment: environment
        )
        #expect(run.exit == .ok && run.errors == "")
        #expect(
            run.output == """
                GET / HTTP/1.1
                Host: example.amazonaws.com
                X-Amz-Date: 20150830T123600Z
                Authorization: AWS4-HMAC-SHA256 \
                Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, \
                SignedHeaders=host;x-amz-date, \
                Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31


                """
        )
    }

    @Test func aPublishedURLIsMade() async throws {
        let options = ["presign", "--at", "2013-05-24T00:00:00Z", "--expires", "86400"]
        let signature = "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
        let run = await run(options + ["--url"])
        #expect(run.exit == .ok && run.output.hasSuffix("&X-Amz-Signature=\(signature)\n"))
        #expect(run.output.hasPrefix("https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm="))
        let json = try await self.run(options + ["--json"]).json()
        #expect(json["url"]?.string == run.line)
        let raw = await self.run(options)
        let query = try #require(run.line.split(separator: "?").last)
        #expect(raw.output == Self.get.replacing("/test.txt", with: "/test.txt?\(query)"))
    }

    // MARK: - Forms

    @Test func aSignatureIsReplacedInPlaceOfAnEarlierOne() async throws {
        let message =
            "PUT /a?b HTTP/1.1\r\nHOST: a.example\r\nX-Amz-Date: 20000101T000000Z\r\n"
            + "authorization: AWS4-HMAC-SHA256 old,\r\n  folded\r\nx-Kept:  a\r\n  b\r\n\r\nbody\n"
        let run = await run(["sign"], message)
        #expect(run.exit == .ok)
        #expect(
            run.output.hasPrefix(
                "PUT /a?b HTTP/1.1\r\nHOST: a.example\r\nx-Kept:  a\r\n  b\r\nX-Amz-Date: 2026"
            )
        )
        #expect(run.output.hasSuffix("\r\n\r\nbody\n"))
        #expect(run.output.contains("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-kept,"))
        let again = await self.run(["sign"], run.output)
        #expect(again.output == run.output)
    }

    @Test func jsonStaysJSON() async throws {
        let message =
            #"{"method":"GET","url":"https://a.example/x","fields":[["X-Amz-Date","old"],["A","b"]]}"#
        let signed = try await run(["sign"], message).json()
        let names = signed["fields"]?.array?.compactMap { $0.array?.first?.string }
        #expect(names == ["A", "X-Amz-Date", "x-amz-content-sha256", "Authorization"])
        #expect(signed["url"] == "https://a.example/x")
        let presigned = try await run(["presign"], message).json()
        #expect(presigned["url"]?.string?.hasPrefix("https://a.example/x?X-Amz-Algorithm=") == true)
        #expect(presigned["fields"] == [["A", "b"]])
        let bare = try await run(["presign"], #"{"method":"GET","url":"https://a.example/x"}"#).json()
        #expect(bare["fields"] == nil)
    }

    @Test func theFieldsAloneAreWritten() async throws {
        let run = await run(["sign", "--fields"])
        let names = run.output.split(separator: "\n").compactMap { $0.split(separator: ":").first }
        #expect(names == ["X-Amz-Date", "x-amz-content-sha256", "Authorization"])
        let json = try await self.run(["sign", "--json"]).json()
        let fields = json["fields"]?.array?.compactMap { pair in
            pair.array?.compactMap(\.string).joined(separator: ": ")
        }
        #expect(fields?.joined(separator: "\n") == run.line)
        #expect(json["canonicalRequest"] == nil)
    }

    @Test func anAbsoluteTargetStaysOne() async throws {
        let run = await run(["presign"], "GET http://a.example:8080/x HTTP/1.1\n\n")
        #expect(run.output.hasPrefix("GET http://a.example:8080/x?X-Amz-Algorithm=") && run.exit == .ok)
    }

    // MARK: - Options

    @Test func schemeAndAuthorityAreThoseOfTheOptions() async throws {
        let options = ["presign", "--url", "--scheme", "http", "--authority", "localhost:9000"]
        let run = await run(options, "GET /a HTTP/1.1\n\n")
        #expect(run.output.hasPrefix("http://localhost:9000/a?"))
        #expect(try await self.run(options + ["--json"]).errorCode() == "conflictingField")
    }

    @Test(arguments: [
        ([], "us-east-1/s3"), (["--region", "eu-west-1"], "eu-west-1/s3"),
        (["--service", "execute-api"], "us-east-1/execute-api"),
    ])
    func regionAndServiceStandInTheScope(options: [String], expected: String) async throws {
        for command in ["sign", "presign"] {
            let scope = try scope(await run([command] + options))
            #expect(scope == "AKIAIOSFODNN7EXAMPLE/20260101/\(expected)/aws4_request")
        }
    }

    @Test func aPathIsEncodedTwiceForOtherServicesOnly() async throws {
        let message = "GET /a%20b//c HTTP/1.1\nHost: a.example\n\n"
        let store = try await run(["sign", "-v", "--json"], message).json()["canonicalRequest"]?.string
        #expect(store?.hasPrefix("GET\n/a%20b//c\n") == true)
        let other = try await run(["sign", "-v", "--json", "--service", "x"], message).json()
        #expect(other["canonicalRequest"]?.string?.hasPrefix("GET\n/a%2520b/c\n") == true)
    }

    @Test func contentIsLeftOutOnRequest() async throws {
        let message = "PUT /a HTTP/1.1\nHost: a.example\n\nbody"
        let without = await run(["sign", "--unsigned-payload"], message)
        #expect(without.output.contains("x-amz-content-sha256: UNSIGNED-PAYLOAD\n"))
        let other = ["presign", "-v", "--json", "--service", "x"]
        let hashed = try await run(other, message).json()["canonicalRequest"]?.string
        #expect(
            hashed?.hasSuffix("\n230d8358dc8e8890b4c58deeb62912ee2f20357ae92a5cc861b98e68fe31acb5") == true
        )
        let unsigned = try await run(other + ["--unsigned-payload"], message).json()
        #expect(unsigned["canonicalRequest"]?.string?.hasSuffix("\nUNSIGNED-PAYLOAD") == true)
    }

    @Test func whatIsSignedIsShownOnStandardError() async throws {
        var environment = Self.environment
        environment["AWS_SESSION_TOKEN"] = Self.token
        let message = Self.get.replacing(
            "\r\n\r\n",
            with: "\r\nCookie: a-secret-cookie\r\nX-Api-Key: an-api-key\r\n\r\n"
        )
        .replacing("/test.txt", with: "/test.txt?token=a-query-token")
        for command in ["sign", "presign"] {
            let run = await run([command, "-v", "--at", "5"], message, environment: environment)
            #expect(run.exit == .ok && run.output.contains(Self.token))
            #expect(run.errors.hasPrefix("* canonical request:\nGET\n/test.txt\n"))
            #expect(run.errors.contains("\n* string to sign:\nAWS4-HMAC-SHA256\n19700101T000005Z\n"))
            #expect(run.errors.contains("<\(Self.token.utf8.count) octets>"))
            for secret in [Self.token, Self.secret, "a-secret-cookie", "an-api-key", "a-query-token"] {
                #expect(!run.errors.contains(secret))
            }
            #expect(!run.output.contains(Self.secret))
            let quiet = await self.run([command], message, environment: environment)
            #expect(quiet.errors == "")
        }
    }

    // MARK: - Cloudflare R2

    @Test(arguments: [
        "", "Host: abc123.r2.cloudflarestorage.com\n", "Host: b.abc123.eu.r2.cloudflarestorage.com\n",
    ])
    func anAccountOfR2(host: String) async throws {
        let run = await run(
            ["sign", "--r2", "abc123"],
            "GET /b/k HTTP/1.1\n\(host)\n",
            environment: [
                "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b",
            ]
        )
        #expect(run.exit == .ok && run.errors == "")
        #expect(try scope(run) == "a/20260101/auto/s3/aws4_request")
    }

    @Test(arguments: [
        "a.example", "xabc123.r2.cloudflarestorage.com", "abc123.r2.cloudflarestorage.com.example",
    ])
    func anotherHostIsNotSignedForR2(host: String) async throws {
        let run = await run(["sign", "--r2", "abc123", "--json"], "GET /b/k HTTP/1.1\nHost: \(host)\n\n")
        #expect(try run.errorCode() == "wrongHost" && run.exit == .refused)
    }

    // MARK: - Credentials

    @Test func aFileHoldsCredentials() async throws {
        let path = try folder.write(
            "aws.ini",
            """
            [default]
            aws_access_key_id = one
            aws_secret_access_key = secret-one
            region = eu-north-1
            [other]
            aws_access_key_id = two
            aws_secret_access_key = secret-two
            aws_session_token = token-two
            [empty]
            region = x
            [role]
            role_arn = arn:x
            [half]
            aws_access_key_id = three
            """
        )
        let own = await run(["sign", "--credentials", path], environment: [:])
        #expect(try scope(own) == "one/20260101/eu-north-1/s3/aws4_request")
        // What is asked for comes before what is there.
        let other = await run(["sign", "--credentials", path, "--profile", "other"])
        #expect(try scope(other) == "two/20260101/us-east-1/s3/aws4_request")
        #expect(other.output.contains("X-Amz-Security-Token: token-two\r\n"))
        for (profile, code, exit) in [
            ("none", "unsupportedProfile", ExitCode.refused), ("role", "unsupportedProfile", .refused),
            ("half", "invalidConfiguration", .refused), ("empty", "noCredentials", .trouble),
        ] {
            let options = ["sign", "--json", "--credentials", path, "--profile", profile]
            let run = await run(options)
            #expect(try run.errorCode() == code && run.exit == exit)
        }
    }

    @Test func aProfileOfTheSharedFiles() async throws {
        let path = try folder.write(
            "shared",
            "[work]\naws_access_key_id = w\naws_secret_access_key = s\nregion = ap-south-1\n"
        )
        var environment = ["AWS_SHARED_CREDENTIALS_FILE": path]
        let asked = await run(["presign", "--profile", "work"], environment: environment)
        #expect(try scope(asked) == "w/20260101/ap-south-1/s3/aws4_request")
        let missing = await run(
            ["sign", "--json", "--region", "r", "--profile", "none"],
            environment: environment
        )
        #expect(try missing.errorCode() == "unsupportedProfile")
        environment["AWS_PROFILE"] = "work"
        #expect(
            try scope(await run(["sign"], environment: environment))
                == "w/20260101/ap-south-1/s3/aws4_request"
        )
    }

    @Test func theSecretMayComeFromAPipe() async throws {
        try folder.write("r.http", Self.get)
        let run = await Run(
            ["aws", "sign", "--credentials", "-", "--region", "r", folder["r.http"]],
            input: "[default]\naws_access_key_id=p\naws_secret_access_key=q\n"
        )
        #expect(run.exit == .ok && run.output.contains("Credential=p/"))
    }

    @Test func aFileThatOthersCanChangeIsRefused() async throws {
        let text = "[default]\naws_access_key_id=p\naws_secret_access_key=q\n"
        let path = try folder.write("open.ini", text, mode: 0o666)
        let run = await run(["sign", "--json", "--credentials", path])
        #expect(try run.errorCode() == "unsafePermissions" && run.exit == .refused)
        let readable = try folder.write("readable.ini", text, mode: 0o644)
        let warned = await self.run(["sign", "--credentials", readable])
        #expect(warned.exit == .ok && warned.errors.contains("warning"))
    }

    // MARK: - Errors

    @Test(arguments: [
        ["sign", "--r2", "a", "--region", "b"], ["sign", "--r2", "a", "--service", "b"],
        ["sign", "--r2", "a", "--authority", "b"], ["sign", "--r2", "A.b"], ["sign", "--r2", ""],
        ["presign", "--expires", "0"], ["presign", "--expires", "604801"], ["presign", "--expires", "1.5"],
        ["sign", "--expires", "5"], ["sign", "--url"], ["presign", "--fields"], ["sign", "--at", "now"],
        ["sign", "--secret", "a"], ["sign", "--session-token", "a"],
    ])
    func theCommandLineIsChecked(options: [String]) async throws {
        let run = await run(options + ["--json"])
        #expect(try run.errorCode() == "usage" && run.exit == .usage)
    }

    @Test func aRegionIsNeeded() async throws {
        var environment = Self.environment
        environment["AWS_REGION"] = nil
        let run = await run(["sign"], environment: environment)
        #expect(run.exit == .usage && run.errors.contains("there is no region"))
    }

    @Test(arguments: [
        ("GET /?a+b HTTP/1.1\nHost: a\n\n", "ambiguousQuery"),
        ("GET /?X-Amz-Signature=x HTTP/1.1\nHost: a\n\n", "alreadySigned"),
        ("GET / HTTP/1.1\nHost: a\nAuthorization: Basic x\n\n", "conflictingField"),
        ("GET / HTTP/1.1\nHost: a\nX: \u{E9}\n\n", "invalidField"),
        ("GET / HTTP/1.1\n\n", "malformedMessage"), ("OPTIONS * HTTP/1.1\nHost: a\n\n", "malformedMessage"),
        ("CONNECT a:443 HTTP/1.1\nHost: a:443\n\n", "malformedMessage"),
        ("HTTP/1.1 200 OK\n\n", "malformedMessage"), (#"{"status":200}"#, "malformedMessage"),
        (#"{"method":"GET","url":"https://a/","requestTarget":"/"}"#, "malformedMessage"),
        (#"{"method":"GET","url":"https://a/","trailers":[["A","b"]]}"#, "malformedMessage"),
        ("GET /a%zz HTTP/1.1\nHost: a\n\n", "invalidPercentEncoding"),
    ])
    func whatCannotBeSignedIsRefused(message: String, code: String) async throws {
        for command in ["sign", "presign"] {
            let run = await run([command, "--json"], message)
            #expect(try run.errorCode() == code && run.exit == .refused, "\(run.output)")
        }
    }

    @Test(arguments: [
        (["AWS_REGION": "r"], [], "noCredentials", ExitCode.trouble),
        (["AWS_REGION": "r", "AWS_ACCESS_KEY_ID": "a"], [], "invalidConfiguration", .refused),
        (
            ["AWS_REGION": "r", "AWS_ACCESS_KEY_ID": "a/b", "AWS_SECRET_ACCESS_KEY": "c"], [],
            "invalidCredentials", .refused
        ),
        (environment, ["--region", "a/b"], "invalidRegion", .refused),
        (environment, ["--service", "a b"], "invalidService", .refused),
        (environment, ["--credentials", "/nowhere"], "unreadable", .trouble),
        (["AWS_REGION": "r", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null"], [], "unreadableFile", .trouble),
    ])
    func theCredentialsAreChecked(
        environment: [String: String],
        options: [String],
        code: String,
        exit: ExitCode
    ) async throws {
        let run = await run(["sign", "--json"] + options, environment: environment)
        #expect(try run.errorCode() == code && run.exit == exit)
        #expect(!run.output.contains(Self.secret) && !run.errors.contains(Self.secret))
    }
}

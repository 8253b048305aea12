import AWSSigning
import FoundationEssentials
import HTTPMessages
import HTTPServing
import HTTPTransport
import TestSupport
import Testing

/// Sources of credentials behind HTTP: a real server where the endpoint can be set, a scripted session where it cannot.
@Suite("Credentials from endpoints") struct EndpointTests {
    static let json = #"""
        {"Code":"Success","LastUpdated":"2026-01-01T00:00:00Z","Type":"AWS-HMAC","AccessKeyId":"ASIA",
         "SecretAccessKey":"c2VjcmV0","Token":"TOK==","Expiration":"2099-12-31T23:59:59Z"}
        """#

    static let xml = """
        <?xml version="1.0"?>
        <AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
          <AssumeRoleWithWebIdentityResult>
            <SubjectFromWebIdentityToken>a&amp;b</SubjectFromWebIdentityToken>
            <Credentials><AccessKeyId>ASIA</AccessKeyId><SecretAccessKey>a&#x2F;b&#43;c</SecretAccessKey>
            <SessionToken>TOK==</SessionToken><Expiration>2099-12-31T23:59:59Z</Expiration></Credentials>
            <Empty/>
          </AssumeRoleWithWebIdentityResult>
          <ResponseMetadata><RequestId>1</RequestId></ResponseMetadata>
        </AssumeRoleWithWebIdentityResponse>
        """

    private func code(_ provider: any AWSCredentialsProvider) async -> AWSSigningError.Code? {
        await #expect(throws: AWSSigningError.self) { try await provider.credentials() }?.code
    }

    private static func answer(_ body: String, _ status: HTTPStatus = .ok) -> HTTPResponse {
        HTTPResponse(status: status, body: Array(body.utf8))
    }

    private func check(_ credentials: AWSCredentials, secret: String = "c2VjcmV0") {
        #expect(credentials.accessKeyID == "ASIA" && credentials.sessionToken == "TOK==")
        #expect(credentials.secretText == secret)
        #expect(credentials.expiration == Date(timeIntervalSince1970: 4_102_444_799))
    }

    // MARK: Instance

    @Test func instance() async throws {
        let server = try HTTPServer { request in
            switch (request.method, request.rawTarget) {
            case (.put, "/latest/api/token"):
                request.fields["X-aws-ec2-metadata-token-ttl-seconds"] == "21600"
                    ? Self.answer("TOKEN==") : Self.answer("", .badRequest)
            case (.get, _) where request.fields["X-aws-ec2-metadata-token"] != "TOKEN==":
                Self.answer("", .unauthorized)
            case (.get, "/latest/meta-data/iam/security-credentials/"): Self.answer("my-role@x")
            case (.get, "/latest/meta-data/iam/security-credentials/my-role@x"): Self.answer(Self.json)
            default: Self.answer("", .notFound)
            }
        }
        defer { server.stop() }
        for end in ["", "/"] {
            let provider = InstanceCredentialsProvider(
                session: try CurlSession(),
                environment: AWSEnvironment(["AWS_EC2_METADATA_SERVICE_ENDPOINT": server.url + end]),
                timeout: .seconds(20)
            )
            check(try await provider.credentials())
        }
    }

    @Test func theInstancesOwnAddress() async throws {
        let session = TestSession { _, _ in Self.answer("", .forbidden) }
        let provider = InstanceCredentialsProvider(session: session, environment: AWSEnvironment([:]))
        #expect(await code(provider) == .endpointFailed)
        #expect(session.requests[0].target.absoluteString == "http://169.254.169.254/latest/api/token")
        #expect(session.requests[0].options.timeout == .seconds(1))
        let mode = AWSEnvironment(["AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE": "IPv6"])
        #expect(
            await code(InstanceCredentialsProvider(session: session, environment: mode)) == .endpointFailed
        )
        #expect(session.requests[1].target.host == "[fd00:ec2::254]")
    }

    @Test(arguments: [false, true]) func eachRequestIsSentTwiceAtMost(answersThen: Bool) async throws {
        struct Unreachable: Error {}
        let session = TestSession { request, count in
            guard count.isMultiple(of: 2), answersThen else {
                guard count % 4 < 2 else { throw Unreachable() }
                return Self.answer("", .serviceUnavailable)
            }
            switch request.target.path {
            case "/latest/api/token": return Self.answer("T")
            case "/latest/meta-data/iam/security-credentials/": return Self.answer("role")
            default: return Self.answer(Self.json)
            }
        }
        let provider = InstanceCredentialsProvider(session: session, environment: AWSEnvironment([:]))
        if answersThen {
            check(try await provider.credentials())
            #expect(session.requests.count == 6)
        } else {
            #expect(await code(provider) == .noCredentials)
            #expect(session.requests.count == 2)
        }
    }

    @Test(arguments: [
        (["", "role", json], AWSSigningError.Code.invalidResponse),
        (["a\nb", "role", json], .invalidResponse),
        (["T", "", json], .invalidResponse), (["T", "../../x", json], .invalidResponse),
        (["T", "a/b", json], .invalidResponse), (["T", "..", json], .invalidResponse),
        (["T", "a?b", json], .invalidResponse), (["T", "role", "{}"], .invalidResponse),
        (["T", "role", "[]"], .invalidResponse), (["T", "role", ""], .invalidResponse),
        (["T", "role", #"{"Code":"Failed"}"#], .endpointFailed),
        (["T", "role", json.replacing("2099-12-31", with: "2099-02-31")], .invalidResponse),
        (["T", "role", json.replacing("23:59:59Z", with: "23:59:59")], .invalidResponse),
        (["T", "role", json.replacing("23:59:59Z", with: "23:59:59.Z")], .invalidResponse),
        (["T", "role", json.replacing("ASIA", with: "")], .invalidCredentials),
        (["T", "role", json.replacing(#""Token""#, with: #""AccessKeyId""#)], .invalidResponse),
        (["T", "role", String(repeating: " ", count: 300_000) + json], .invalidResponse),
    ])
    func instancesThatAnswerNonsense(answers: [String], code: AWSSigningError.Code) async throws {
        let session = TestSession { _, count in Self.answer(answers[count - 1]) }
        let provider = InstanceCredentialsProvider(session: session, environment: AWSEnvironment([:]))
        #expect(await self.code(provider) == code)
    }

    @Test func noInstance() async throws {
        struct Unreachable: Error {}
        let session = TestSession { _, _ in throw Unreachable() }
        let off = AWSEnvironment(["AWS_EC2_METADATA_DISABLED": "TRUE"])
        #expect(await code(InstanceCredentialsProvider(session: session, environment: off)) == .noCredentials)
        #expect(session.requests.isEmpty)
        let error = await #expect(throws: AWSSigningError.self) {
            try await InstanceCredentialsProvider(session: session, environment: AWSEnvironment([:]))
                .credentials()
        }
        #expect(error?.code == .noCredentials && error?.underlying is Unreachable)
        let foreign = AWSEnvironment(["AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://example.com"])
        #expect(
            await code(InstanceCredentialsProvider(session: session, environment: foreign))
                == .endpointRefused
        )
        let noRole = TestSession { _, count in count == 1 ? Self.answer("T") : Self.answer("", .notFound) }
        #expect(
            await code(InstanceCredentialsProvider(session: noRole, environment: AWSEnvironment([:])))
                == .noCredentials
        )
    }

    // MARK: Container

    @Test func container() async throws {
        let folder = try TemporaryFolder(["token": "Basic abc=\n"])
        let server = try HTTPServer { request in
            request.fields[.authorization] == "Basic abc=" && request.rawTarget == "/v1/credentials?a=b"
                ? Self.answer(Self.json) : Self.answer("", .forbidden)
        }
        defer { server.stop() }
        var variables = ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "\(server.url)/v1/credentials?a=b"]
        let session = try CurlSession()
        func provider() -> ContainerCredentialsProvider {
            ContainerCredentialsProvider(session: session, environment: AWSEnvironment(variables))
        }
        #expect(await code(provider()) == .endpointFailed)
        variables["AWS_CONTAINER_AUTHORIZATION_TOKEN"] = "Basic abc="
        check(try await provider().credentials())
        variables["AWS_CONTAINER_AUTHORIZATION_TOKEN"] = "other"
        variables["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] = "\(folder.path)/token"
        check(try await provider().credentials())
        try folder.write("token", "Basic other")
        #expect(await code(provider()) == .endpointFailed)
        variables["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] = "\(folder.path)/none"
        #expect(await code(provider()) == .unreadableFile)
    }

    @Test(arguments: [
        ("http://127.0.0.1/c", true), ("http://127.1.2.3:80/c", true), ("http://localhost:51678/c", true),
        ("http://[::1]/c", true), ("http://169.254.170.2/c", true),
        ("http://169.254.170.23/v1/credentials", true),
        ("http://[fd00:ec2::23]/v1/credentials", true), ("https://example.com/c", true),
        ("http://example.com/c", false), ("http://169.254.170.3/c", false),
        ("http://169.254.169.254/c", false),
        ("http://127.0.0.1.example.com/c", false), ("http://10.0.0.1/c", false),
        ("http://[fd00:ec2::24]/c", false),
    ])
    func containersMayBe(url: String, isAllowed: Bool) async throws {
        let session = TestSession { _, _ in Self.answer(Self.json) }
        let provider = ContainerCredentialsProvider(
            session: session,
            environment: AWSEnvironment(["AWS_CONTAINER_CREDENTIALS_FULL_URI": url])
        )
        guard isAllowed else {
            #expect(await code(provider) == .endpointRefused)
            #expect(session.requests.isEmpty)
            return
        }
        check(try await provider.credentials())
        #expect(session.requests[0].target.absoluteString == url)
    }

    @Test(arguments: [
        ([:], AWSSigningError.Code.noCredentials),
        (["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "v2"], .invalidConfiguration),
        (["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/a b"], .invalidURL),
        (["AWS_CONTAINER_CREDENTIALS_FULL_URI": "127.0.0.1"], .invalidConfiguration),
        (
            [
                "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2",
                "AWS_CONTAINER_AUTHORIZATION_TOKEN": "a\r\nX: y",
            ],
            .invalidConfiguration
        ),
        (
            [
                "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2",
                "AWS_CONTAINER_AUTHORIZATION_TOKEN": "Basic abc= ",
            ],
            .invalidConfiguration
        ),
    ])
    func containersThatDoNotDo(variables: [String: String], code: AWSSigningError.Code) async throws {
        let session = TestSession { _, _ in Self.answer(Self.json) }
        let provider = ContainerCredentialsProvider(session: session, environment: AWSEnvironment(variables))
        #expect(await self.code(provider) == code)
        #expect(session.requests.isEmpty)
    }

    @Test func theAddressOfECS() async throws {
        let session = TestSession { _, _ in Self.answer(Self.json) }
        let provider = ContainerCredentialsProvider(
            session: session,
            environment: AWSEnvironment(["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2/credentials/1"])
        )
        check(try await provider.credentials())
        #expect(session.requests[0].target.absoluteString == "http://169.254.170.2/v2/credentials/1")
        #expect(session.requests[0].fields.isEmpty)
    }

    // MARK: Web identity

    @Test func webIdentity() async throws {
        let folder = try TemporaryFolder(["token": "eyJ.eyJ.sig\n"])
        let server = try HTTPServer { request in
            let form = String(decoding: request.body, as: UTF8.self)
            return request.method == .post && request.target.query == nil
                && form == "Action=AssumeRoleWithWebIdentity&Version=2011-06-15"
                    + "&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fr&RoleSessionName=me&WebIdentityToken=eyJ.eyJ.sig"
                ? Self.answer(Self.xml) : Self.answer("", .badRequest)
        }
        defer { server.stop() }
        var variables = [
            "AWS_ROLE_ARN": "arn:aws:iam::1:role/r", "AWS_WEB_IDENTITY_TOKEN_FILE": "\(folder.path)/token",
            "AWS_ROLE_SESSION_NAME": "me", "AWS_ENDPOINT_URL_STS": server.url,
        ]
        let session = try CurlSession()
        check(
            try await WebIdentityCredentialsProvider(session: session, environment: AWSEnvironment(variables))
                .credentials(),
            secret: "a/b+c"
        )
        try folder.write(
            "config",
            "[profile w]\nrole_arn = arn:aws:iam::1:role/r\nweb_identity_token_file = \(folder.path)/token\n"
                + "role_session_name = me\n"
        )
        variables["AWS_ROLE_ARN"] = nil
        let profile = ProfileCredentialsProvider(
            "w",
            environment: folder.environment(variables),
            session: session
        )
        check(try await profile.credentials(), secret: "a/b+c")
        #expect(
            await code(ProfileCredentialsProvider("w", environment: folder.environment()))
                == .unsupportedProfile
        )
        try folder.write("token", "other")
        #expect(await code(profile) == .endpointFailed)
    }

    @Test(arguments: [
        ("eu-west-1", "https://sts.eu-west-1.amazonaws.com/"),
        ("cn-north-1", "https://sts.cn-north-1.amazonaws.com.cn/"),
    ])
    func theRegionsSTS(region: String, url: String) async throws {
        let folder = try TemporaryFolder(["token": "eyJ"])
        let session = TestSession { _, _ in Self.answer(Self.xml) }
        let provider = WebIdentityCredentialsProvider(
            role: "r",
            tokenFile: "\(folder.path)/token",
            region: region,
            session: session,
            time: Example.fixedTime(Example.date)
        )
        check(try await provider.credentials(), secret: "a/b+c")
        #expect(session.requests[0].target.absoluteString == url)
        let body = try #require(session.requests[0].body?.bytes)
        #expect(String(decoding: body, as: UTF8.self).contains("&RoleSessionName=swift-1369353600&"))
    }

    @Test func identitiesThatDoNotDo() async throws {
        let folder = try TemporaryFolder(["token": "eyJ", "empty": " \n"])
        let session = TestSession { _, _ in Self.answer(Self.xml) }
        func provider(
            _ file: String,
            region: String?,
            endpoint: String? = nil
        ) -> WebIdentityCredentialsProvider {
            WebIdentityCredentialsProvider(
                role: "r",
                tokenFile: "\(folder.path)/\(file)",
                region: region,
                session: session,
                endpoint: endpoint
            )
        }
        #expect(await code(provider("token", region: nil)) == .invalidRegion)
        let regions = [
            "a/b", "evil.example?x", "evil.example#", "evil.example:1", "a@evil.example", "a.b", "-a", "a-",
            "", "A", "%61",
            String(repeating: "a", count: 64),
        ]
        for region in regions {
            #expect(await code(provider("token", region: region)) == .invalidRegion)
        }
        #expect(await code(provider("empty", region: "a")) == .unreadableFile)
        #expect(await code(provider("none", region: "a")) == .unreadableFile)
        #expect(
            await code(provider("token", region: nil, endpoint: "http://sts.example.com")) == .endpointRefused
        )
        let error = #expect(throws: AWSSigningError.self) {
            try WebIdentityCredentialsProvider(session: session, environment: AWSEnvironment([:]))
        }
        #expect(error?.code == .noCredentials)
        #expect(session.requests.isEmpty)
    }

    @Test(arguments: [
        "", "<a/>", "<a>", "text", xml + "<x/>", xml.replacing("</Credentials>", with: "</Credential>"),
        xml.replacing("<Empty/>", with: "<Empty></Other>"), xml.replacing("&amp;", with: "&unknown;"),
        xml.replacing("&amp;", with: "&#0;"), xml.replacing("&amp;", with: "&#xD800;"),
        xml.replacing("&amp;", with: "&#-38;"), xml.replacing("&amp;", with: "& "),
        xml.replacing("<Empty/>", with: "<!-- c -->"), xml.replacing("<Empty/>", with: "<![CDATA[x]]>"),
        xml.replacing("<Empty/>", with: "<?php x ?>"), xml.replacing("<Empty/>", with: "<Empty a=b/>"),
        xml.replacing("<Empty/>", with: "<1/>"), xml.replacing("<Empty/>", with: "<Empty a='<'/>"),
        xml.replacing(
            "<?xml version=\"1.0\"?>",
            with: "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"
        ),
        xml.replacing("<AccessKeyId>ASIA</AccessKeyId>", with: ""),
        xml.replacing(
            "<AccessKeyId>ASIA</AccessKeyId>",
            with: "<AccessKeyId>A</AccessKeyId><AccessKeyId>B</AccessKeyId>"
        ),
        xml.replacing("<Credentials>", with: "<Other/><Credential>"), xml.replacing("2099", with: "99"),
        String(repeating: "<a>", count: 100) + String(repeating: "</a>", count: 100),
    ])
    func answersThatAreNotTheXMLOfSTS(body: String) async throws {
        let folder = try TemporaryFolder(["token": "eyJ"])
        let session = TestSession { _, _ in Self.answer(body) }
        let provider = WebIdentityCredentialsProvider(
            role: "r",
            tokenFile: "\(folder.path)/token",
            region: "eu-west-1",
            session: session
        )
        #expect(await code(provider) == .invalidResponse)
    }
}

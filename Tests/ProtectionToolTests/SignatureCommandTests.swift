import Cryptography
import Encodings
import JSONWebTokens
import MessageSignatures
import TestSupport
import Testing

@testable import ProtectionCommands

@Suite("signature", .timeLimit(.minutes(2))) struct SignatureCommandTests {
    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        try await Keys.write(to: folder)
    }

    private func base(_ options: [String], _ input: String = Messages.request) async -> Run {
        await Run(["signature", "base"] + options + ["-"], input: input)
    }

    private func sign(
        _ options: [String],
        _ input: String = Messages.request,
        key: String = "private.pem"
    ) async -> Run {
        await Run(["signature", "sign", "--key", folder[key]] + options + ["-"], input: input)
    }

    private func verify(_ options: [String], _ input: String, key: String = "public.pem") async -> Run {
        await Run(["signature", "verify", "--key", folder[key]] + options + ["-"], input: input)
    }

    /// The value of `@signature-params` that options give.
    private func parameters(_ options: [String]) async throws -> String? {
        try await base(["--components", "", "--json"] + options).json()["parameters"]?.string
    }

    // MARK: - base

    @Test func theBaseIsExact() async throws {
        let options = ["--components", #""@method" "@target-uri" "@query-param";name="Pet" "content-type""#]
        let run = await base(options + ["--created", "5", "--keyid", "k"])
        #expect(run.exit == .ok && run.errors == "")
        #expect(
            run.output == #"""
                "@method": POST
                "@target-uri": https://example.com/foo?param=Value&Pet=dog
                "@query-param";name="Pet": dog
                "content-type": application/json
                "@signature-params": ("@method" "@target-uri" "@query-param";name="Pet" "content-type");created=5;keyid="k"
                """#
        )
        let json = try await base(options + ["--json", "--created", "5", "--keyid", "k"]).json()
        #expect(json["base"]?.string == run.output)
    }

    @Test(arguments: [
        ([], "();created=1767225600"), (["--at", "7"], "();created=7"), (["--created", "none"], "()"),
        (["--created", "1970-01-01T00:01:00Z", "--expires", "90"], "();created=60;expires=90"),
        (
            ["--created", "1", "--nonce", "n\"", "--alg", "ed25519", "--keyid", "k", "--tag", "t"],
            #"();created=1;nonce="n\"";alg="ed25519";keyid="k";tag="t""#
        ),
    ])
    func theOptionsBecomeParameters(options: [String], expected: String) async throws {
        #expect(try await parameters(options) == expected)
    }

    @Test func theBaseOfACarriedSignature() async throws {
        let signed = await sign(["--components", #""@method""#, "--label", "a"])
        let both = await sign(["--components", #""@path""#, "--label", "b"], signed.output)
        let start = "\"@method\": POST\n\"@signature-params\": (\"@method\");created=1767225600"
        #expect(await base([], signed.output).output == start)
        #expect(await base(["--label", "a"], both.output).output == start)
        #expect(try await base(["--label", "b", "--json"], both.output).json()["label"] == "b")
        #expect(try await base(["--json"], both.output).errorCode() == "ambiguousLabel")
        #expect(try await base(["--json", "--label", "c"], both.output).errorCode() == "labelNotFound")
        #expect(try await base(["--json"]).errorCode() == "unsignedMessage")
        for value in ["a=1", "a", "a=(x)", "a=(\"@method\"", "a=(), a=()"] {
            let message = "GET / HTTP/1.1\nHost: a\nSignature-Input: \(value)\n\n"
            #expect(try await base(["--json"], message).errorCode() == "malformedSignatureInput")
        }
    }

    @Test func structuredFieldsAreNamed() async throws {
        let message = "GET / HTTP/1.1\nHost: a\nX-D:  a=1,   b=2;x=1\n\n"
        let components = ["--components", #""x-d";sf "x-d";key="b""#, "--created", "none"]
        let run = await base(components + ["--field-type", "x-d=dictionary"], message)
        #expect(run.output.hasPrefix("\"x-d\";sf: a=1, b=2;x=1\n\"x-d\";key=\"b\": 2;x=1\n"))
        #expect(try await base(components + ["--json"], message).errorCode() == "structuredTypeUnknown")
        for wrong in ["x-d", "x-d=map", "=list", "x=list=item"] {
            #expect(await base(components + ["--field-type", wrong], message).exit == .usage)
        }
    }

    @Test(arguments: [
        (["--scheme", "http"], "http", "example.com"),
        (["--authority", "b.example:8443"], "https", "b.example:8443"),
        ([], "https", "example.com"),
    ])
    func theOriginIsThatOfTheOptions(options: [String], scheme: String, authority: String) async throws {
        let run = await base(options + ["--created", "none", "--components", #""@scheme" "@authority""#])
        #expect(run.output.hasPrefix("\"@scheme\": \(scheme)\n\"@authority\": \(authority)\n"))
    }

    @Test(arguments: [
        ("OPTIONS * HTTP/1.1\nHost: a\n\n", "*", "https://a/"),
        ("GET http://b.example/c?d HTTP/1.1\nHost: a\n\n", "http://b.example/c?d", "http://b.example/c?d"),
        ("CONNECT a.example:443 HTTP/1.1\nHost: a\n\n", "a.example:443", "https://a.example:443/"),
    ])
    func everyFormOfTargetIsRead(message: String, target: String, uri: String) async throws {
        let run = await base(
            ["--components", #""@request-target" "@target-uri""#, "--created", "none"],
            message
        )
        #expect(run.output.hasPrefix("\"@request-target\": \(target)\n\"@target-uri\": \(uri)\n"))
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\n\n", "malformedMessage"),
        ("GET / HTTP/1.1\nHost: a\nHost: a\n\n", "malformedMessage"),
        ("GET * HTTP/1.1\nHost: a\n\n", "malformedMessage"),
        ("GET /#a HTTP/1.1\nHost: a\n\n", "malformedMessage"),
        ("GET / HTTP/1.1\nHost: a/b?c\n\n", "malformedURL"),
        ("GET / HTTP/1.1\nHost: u@a\n\n", "malformedURL"),
        ("GET / HTTP/1.1\nHost:\n\n", "malformedURL"), ("GET foo HTTP/1.1\nHost: a\n\n", "malformedURL"),
        ("CONNECT a/b HTTP/1.1\nHost: a\n\n", "malformedURL"),
        ("GET / HTTP/1.1\nHost: a\nX: b\u{1}\n\n", "malformedMessage"),
    ])
    func aRequestWithoutOneTargetIsRefused(message: String, code: String) async throws {
        let run = await base(["--components", #""@path""#, "--json"], message)
        #expect(run.exit == .refused)
        #expect(try run.errorCode() == code)
    }

    @Test func anAbsoluteTargetTakesNoOrigin() async throws {
        let message = "GET http://b.example/ HTTP/1.1\n\n"
        for option in [["--scheme", "https"], ["--authority", "a"]] {
            #expect(await base(option + ["--components", ""], message).exit == .usage)
            #expect(await base(option + ["--components", ""], Messages.json).exit == .usage)
        }
    }

    @Test(arguments: [
        "@method", #""@method", "@path""#, #""@method") ("@path""#, #""@method");a=("x""#, "1",
        #""@metho""#, #""A""#, #""@method";sf"#, #""a";key=1"#, #"""#, #""a";req;req"#,
    ])
    func componentsThatAreNoneAreRefused(text: String) async {
        let run = await base(["--components", text])
        #expect(run.exit == .usage && run.output == "")
    }

    @Test func parametersBelongToComponents() async {
        for option in ["created", "expires", "at"] {
            #expect(await base(["--\(option)", "5"]).exit == .usage)
        }
        for option in ["nonce", "alg", "keyid", "tag"] {
            #expect(await base(["--\(option)", "x"]).exit == .usage)
        }
        #expect(await base(["--components", "", "--label", "a"]).exit == .usage)
    }

    // MARK: - sign

    @Test func aMessageKeepsItsForm() async throws {
        let run = await sign(["--components", Messages.components, "--digest", "sha-512", "--tag", "t"])
        #expect(run.exit == .ok && run.errors == "")
        let body = "\r\n\r\n\(Messages.body)"
        #expect(run.output.hasPrefix(Messages.request.replacing(body, with: "\r\nContent-Digest: sha-512=:")))
        #expect(run.output.hasSuffix(":\(body)"))
        #expect(await verify(["--policy", folder["policy.json"]], run.output).exit == .ok)
        let json = await sign(["--components", Messages.components, "--digest", "sha-256"], Messages.json)
        let names = try json.json()["fields"]?.array?.map { $0.array?.first?.string }
        #expect(names == ["Content-Type", "Content-Digest", "Signature-Input", "Signature"])
        #expect(try json.json()["body"]?.string == Messages.body)
        #expect(await verify(["--policy", folder["policy.json"]], json.output).exit == .ok)
    }

    @Test func theFieldsAloneAreWritten() async throws {
        let options = ["--components", #""@method""#, "--label", "mine", "--keyid", "k", "--state-alg"]
        let text = await sign(options + ["--fields"])
        let lines = text.line.split(separator: "\n")
        #expect(
            lines.first
                == #"Signature-Input: mine=("@method");created=1767225600;alg="ecdsa-p256-sha256";keyid="k""#
        )
        #expect(lines.count == 2 && lines.last?.hasPrefix("Signature: mine=:") == true)
        let json = try await sign(options + ["--json"]).json()
        #expect(json["label"] == "mine" && json["fields"]?.array?.count == 2)
        let digest = await sign(["--components", Messages.components, "--digest", "sha-256", "--fields"])
        #expect(
            digest.output.hasPrefix(
                "Content-Digest: sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:\n"
            )
        )
    }

    @Test func theNameOfAKeyIsItsKid() async throws {
        let options = ["--components", "", "--fields"]
        #expect(await sign(options, key: "private.jwk").output.contains(#";keyid="main""#))
        #expect(await sign(options + ["--keyid", "x"], key: "private.jwk").output.contains(#";keyid="x""#))
        #expect(await !sign(options).output.contains("keyid"))
    }

    @Test(arguments: MessageSignatureAlgorithm.allCases) func everyAlgorithmSigns(
        algorithm: MessageSignatureAlgorithm
    ) async throws {
        var options = ["--alg", algorithm.rawValue]
        var (signing, verifying) = ("secret.hex", "secret.hex")
        let type: KeyType? =
            switch algorithm {
            case .ecdsaP256SHA256: .p256
            case .ecdsaP384SHA384: .p384
            case .ed25519: .ed25519
            case .rsaPSSSHA512, .rsaPKCS1SHA256: .rsa(bits: 2048)
            case .hmacSHA256: nil
            }
        if let type {
            let key = try PrivateKey.generate(type)
            (signing, verifying) = ("s.pem", "v.pem")
            try folder.write(signing, key.pkcs8PEM())
            try folder.write(verifying, key.publicKey.pem, mode: 0o644)
        } else {
            options += ["--secret-format", "hex"]
        }
        let signed = await sign(options + ["--components", #""@method""#], key: signing)
        #expect(signed.exit == .ok && signed.errors == "", "\(signed.errors)")
        let run = await verify(options + ["--json"], signed.output, key: verifying)
        #expect(try run.json()["algorithm"] == .string(algorithm.rawValue))
        for other in MessageSignatureAlgorithm.allCases where other != algorithm {
            let secret = type == nil ? ["--secret-format", "hex"] : []
            let wrong = await verify(["--alg", other.rawValue] + secret, signed.output, key: verifying)
            #expect(wrong.exit == .refused && wrong.output == "")
        }
    }

    @Test func aKeyThatLeavesAChoiceNeedsOne() async throws {
        try folder.write("rsa.pem", try Keys.rsa.get().pkcs8PEM())
        #expect(
            try await sign(["--components", "", "--json"], key: "rsa.pem").errorCode() == "missingAlgorithm"
        )
        try folder.write(
            "rsa.jwk",
            try JSONWebKey(Keys.rsa.get(), algorithm: .rs512).privateObject().serialized()
        )
        #expect(try await sign(["--components", "", "--json"], key: "rsa.jwk").errorCode() == "wrongKey")
        #expect(await sign(["--components", "", "--alg", "RS256"], key: "rsa.pem").exit == .usage)
        #expect(
            try await sign(["--components", "", "--json"], key: "public.pem").errorCode() == "publicKeyGiven"
        )
        #expect(await sign(["--components", "", "--secret-format", "hex"], key: "secret.hex").exit == .usage)
    }

    @Test func aKeyOnlyDoesWhatItIsFor() async throws {
        var members = try JSONWebKey(Keys.signing.get()).privateObject()
        members["use"] = nil
        members["key_ops"] = ["sign"]
        try folder.write("sign.jwk", members.serialized())
        members["key_ops"] = ["verify"]
        try folder.write("verify.jwk", members.serialized())
        let signed = await sign(["--components", ""], key: "sign.jwk")
        #expect(signed.exit == .ok)
        #expect(await sign(["--components", ""], key: "verify.jwk").exit == .refused)
        #expect(await verify([], signed.output, key: "verify.jwk").exit == .ok)
        #expect(try await verify(["--json"], signed.output, key: "sign.jwk").errorCode() == "wrongKey")
    }

    @Test(arguments: [
        (["--components", #""x-absent""#], "fieldMissing"),
        (["--components", #""@status""#], "statusInRequest"),
        (["--components", #""@method" "@method""#], "duplicateComponent"),
        (["--components", "", "--label", "Upper"], "invalidLabel"),
        (["--components", "", "--created", "9", "--expires", "8"], "expiresBeforeCreated"),
        (["--components", "", "--nonce", "\u{E9}"], "unserializableParameter"),
    ])
    func whatCannotBeSignedIsRefused(options: [String], code: String) async throws {
        let run = await sign(options + ["--json"])
        #expect(run.exit == .refused)
        #expect(try run.errorCode() == code)
    }

    @Test func aDigestIsCoveredAndRight() async throws {
        #expect(await sign(["--components", #""@method""#, "--digest", "sha-256"]).exit == .usage)
        let signed = await sign(["--components", Messages.components, "--digest", "sha-256"])
        let again = ["--components", Messages.components, "--label", "b", "--json"]
        #expect(
            try await sign(again + ["--digest", "sha-256"], signed.output).errorCode() == "digestPresent"
        )
        #expect(await sign(again, signed.output).exit == .ok)
        let changed = signed.output.replacing("world", with: "World")
        #expect(try await sign(again, changed).errorCode() == "contentDigestMismatch")
        let label = ["--components", "", "--json"]
        #expect(try await sign(label, signed.output).errorCode() == "labelNotUnique")
    }

    @Test func aResponseIsTiedToItsRequest() async throws {
        let response = "HTTP/1.1 200 OK\nContent-Type: text/plain\n\nhello\n"
        let components = ["--components", #""@status" "@method";req "@authority";req"#]
        try folder.write("request", Messages.request)
        try folder.write("other", Messages.request.replacing("POST", with: "PUT"))
        try folder.write("response", response)
        let signed = await sign(components + ["--request", folder["request"]], response)
        #expect(signed.exit == .ok)
        #expect(await verify(["--request", folder["request"]], signed.output).exit == .ok)
        let other = await verify(["--request", folder["other"], "--json"], signed.output)
        #expect(try other.errorCode() == "signatureInvalid")
        #expect(try await verify(["--json"], signed.output).errorCode() == "relatedRequestMissing")
        let json =
            #"{"status":200,"fields":[["Content-Type","text/plain"]],"body":"hello\n","request":\#(Messages.json)}"#
        let inline = await sign(components, json)
        #expect(await verify([], inline.output).exit == .ok)
        #expect(await verify(["--request", folder["request"]], inline.output).exit == .usage)
        for wrong in [folder["response"], folder["absent"]] {
            #expect(await sign(components + ["--request", wrong], response).exit != .ok)
        }
        let request = await sign(["--components", "", "--request", folder["request"], "--json"])
        #expect(try request.errorCode() == "malformedMessage")
        let member = await sign(
            ["--components", "", "--request", folder["request"], "--json"],
            Messages.json
        )
        #expect(try member.errorCode() == "malformedMessage")
    }

    /// They tell the length of what they leave out (RFC 9110, section 8.6).
    @Test(arguments: ["200 OK", "304 Not Modified"]) func aResponseMayLeaveItsContentOut(
        status: String
    ) async throws {
        let response = "HTTP/1.1 \(status)\nContent-Length: 23\n\n"
        try folder.write("head", "HEAD /a HTTP/1.1\nHost: a\n\n")
        let components = ["--components", #""@status""#]
        let request = status.hasPrefix("304") ? [] : ["--request", folder["head"]]
        let signed = await sign(components + request, response)
        #expect(signed.exit == .ok, "\(signed.errors)")
        #expect(await verify(request, signed.output).exit == .ok)
        let other = "HTTP/1.1 200 OK\nContent-Length: 23\n\n"
        #expect(try await sign(components + ["--json"], other).errorCode() == "malformedMessage")
    }

    @Test func aBodyNeedNotBeText() async throws {
        let octets: [UInt8] = [0, 0xFF, 0x0A, 0x0D]
        let text = Base64.standard.encode(octets)
        let message = #"{"method":"PUT","url":"https://a/","bodyBase64":"\#(text)"}"#
        let signed = await sign(["--components", Messages.components, "--digest", "sha-256"], message)
        #expect(signed.output.contains(try DigestField(of: octets).serialized))
        #expect(await verify(["--policy", folder["policy.json"]], signed.output).exit == .ok)
    }

    @Test(arguments: [
        "[1]", "{", "{}", #"{"method":"GET"}"#, #"{"url":"https://a/"}"#, #"{"method":"GET","url":"a"}"#,
        #"{"method":"G T","url":"https://a/"}"#, #"{"method":"GET","url":"https://a/","more":1}"#,
        #"{"method":"GET","url":"https://a/","status":200}"#, #"{"status":"200"}"#, #"{"status":99}"#,
        #"{"status":200,"url":"https://a/"}"#, #"{"status":200,"request":[]}"#,
        #"{"status":200,"request":{"status":200}}"#, #"{"method":"GET","url":"https://a/","fields":{}}"#,
        #"{"method":"GET","url":"https://a/","fields":[["a"]]}"#,
        #"{"method":"GET","url":"https://a/","fields":[["a b","c"]]}"#,
        #"{"method":"GET","url":"https://a/","fields":[["a",1]]}"#,
        #"{"method":"GET","url":"https://a/","body":1}"#,
        #"{"method":"GET","url":"https://a/","body":"","bodyBase64":""}"#,
        #"{"method":"GET","url":"https://a/","bodyBase64":"A"}"#,
        #"{"method":"GET","url":"https://a/","requestTarget":1}"#,
        #"{"method":"GET","method":"PUT","url":"https://a/"}"#,
        #"{"method":"PUT","url":"https://a/","fields":[["Content-Length","5"]],"body":"abc"}"#,
    ])
    func aMessageInJSONIsStrict(text: String) async throws {
        let run = await sign(["--components", "", "--json"], text)
        #expect(run.exit == .refused && run.output.contains(#""error""#))
    }

    // MARK: - verify

    @Test func whatWasVerifiedIsShown() async throws {
        let options = [
            "--components", Messages.components, "--digest", "sha-256", "--nonce", "n", "--keyid", "k",
        ]
        let signed = await sign(options)
        let text = await verify(["--policy", folder["policy.json"], "--at", "1767225601"], signed.output)
        #expect(
            text.output == #"""
                VERIFIED
                label      sig1
                algorithm  ecdsa-p256-sha256
                body       verified
                components
                  "@method"
                  "@authority"
                  "content-digest"
                parameters
                  created=1767225600 (2026-01-01T00:00:00Z, 1 s ago)
                  nonce="n"
                  keyid="k"

                """#
        )
        let json = try await verify(["--policy", folder["policy.json"], "--json"], signed.output).json()
        let expected: JSONValue = [
            "verified": true, "label": "sig1", "algorithm": "ecdsa-p256-sha256", "bodyVerified": true,
            "representationVerified": false,
            "components": ["\"@method\"", "\"@authority\"", "\"content-digest\""],
            "parameters": ["created": 1_767_225_600, "nonce": "n", "keyid": "k"],
        ]
        #expect(JSONValue.object(json) == expected)
        #expect(await verify([], signed.output).output.contains("no component had to be covered"))
    }

    @Test(arguments: [
        ("POST", "PUT", "signatureInvalid"), ("example.com", "example.org", "signatureInvalid"),
        ("world", "World", "contentDigestMismatch"), ("sig1=(", "sig2=(", "labelMismatch"),
        ("\"@method\" ", "", "signatureInvalid"),
        (";created=1767225600", ";created=1767225599", "signatureInvalid"),
        (";created=1767225600", ";created=1767225601", "createdInFuture"),
        ("Signature: ", "X: ", "signatureMissing"),
        ("Signature-Input: ", "X: ", "signatureInputMissing"), ("sig1=:", "sig1=:A", "malformedSignature"),
    ])
    func aChangedMessageIsRefused(old: String, new: String, code: String) async throws {
        let signed = await sign(["--components", Messages.components, "--digest", "sha-256"])
        let changed = signed.output.replacing(old, with: new)
        let run = await verify(["--json"], changed)
        #expect(run.exit == .refused)
        #expect(try run.errorCode() == code)
        let text = await verify([], changed)
        #expect(text.exit == .refused && text.output == "" && text.errors.contains("\(code): "))
    }

    @Test func otherKeysAndLabelsAreRefused() async throws {
        let signed = await sign(["--components", "", "--label", "a"])
        try folder.write("other.pem", try Keys.other.get().publicKey.pem)
        #expect(
            try await verify(["--json"], signed.output, key: "other.pem").errorCode() == "signatureInvalid"
        )
        #expect(try await verify(["--json", "--label", "b"], signed.output).errorCode() == "labelNotFound")
        #expect(await verify(["--label", "a"], signed.output).exit == .ok)
        #expect(try await verify(["--json"], Messages.request).errorCode() == "unsignedMessage")
        let both = await sign(["--components", "", "--label", "b"], signed.output)
        #expect(try await verify(["--json"], both.output).errorCode() == "ambiguousLabel")
    }

    @Test func theNameOfTheKeyMustBeTheOneOfTheSignature() async throws {
        let components = ["--components", #""@method""#]
        let signed = await sign(components, key: "private.jwk")
        #expect(signed.output.contains(#"keyid="main""#))
        #expect(await verify([], signed.output, key: "public.jwk").exit == .ok)
        let other = await sign(components + ["--keyid", "other"])
        #expect(try await verify(["--json"], other.output, key: "public.jwk").errorCode() == "wrongKey")
        // A key without a name, and a signature without a key's, leave it open.
        #expect(await verify([], other.output).exit == .ok)
        #expect(await verify([], await sign(components).output, key: "public.jwk").exit == .ok)
    }

    @Test func noKeyIsShown() async throws {
        let secret = Hex.encode(Keys.secret)
        let options = ["--secret-format", "hex", "--alg", "hmac-sha256"]
        let signed = await sign(options + ["--components", ""], key: "secret.hex")
        let runs = [
            signed, await verify(options, signed.output, key: "secret.hex"),
            await verify(options + ["--json"], Messages.request, key: "secret.hex"),
            await sign(options + ["--components", "\"x\""], key: "secret.hex"),
        ]
        for run in runs {
            #expect(!(run.output + run.errors).contains(secret.prefix(16)))
            #expect(!(run.output + run.errors).contains(Base64.standard.encode(Keys.secret).prefix(16)))
        }
    }
}

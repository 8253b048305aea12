import Encodings
import JSONWebTokens
import Testing

@Suite struct ParsingTests {
    private func encode(_ text: String) -> String { Base64.url.encode(text.utf8) }

    @Test func partsAreExposed() throws {
        let claims = #"{"iss":"a",\#n"x":"line\nbreak"}"#
        let text = "\(encode(#"{"alg":"RS256","kid":"k","typ":"JWT","jku":"u"}"#)).\(encode(claims)).AAAA"
        let token = try UnverifiedToken(parsing: text)
        #expect(token.header.algorithm == "RS256")
        #expect(token.header.keyID == "k")
        #expect(token.header.type == "JWT")
        #expect(token.header.members["jku"] == "u")
        #expect(token.unverifiedClaims.issuer == "a")
        #expect(token.loggableForm == #"{"iss":"a","x":"line\nbreak"}"#)
        #expect("\(token)" == "UnverifiedToken(RS256)")
        #expect(Mirror(reflecting: token).children.isEmpty)
    }

    /// Texts with the code and the place of their fault, in which `H` is a good header and `C` are good claims.
    static let faults: [(String, TokenError.Code, Int?)] = [
        ("", .malformed, 0), ("H", .malformed, 15 + 5), ("H.C", .malformed, 20 + 1 + 3),
        ("H.C.AAAA.", .malformed, 20 + 1 + 3 + 1 + 4), ("H.C.A.A.A", .malformed, 26),
        ("H.C.AA=", .invalidEncoding, 27), ("H.C.A A", .invalidEncoding, 26),
        ("H.C.AB", .invalidEncoding, 26),
        ("H.C.A", .invalidEncoding, 26), ("H.e3 0.AAAA", .invalidEncoding, 23),
        ("H?.C.AAAA", .invalidEncoding, 20),
        ("H.C\n.AAAA", .invalidEncoding, 24), ("H=.C.AAAA", .invalidEncoding, 20),
    ]

    @Test(arguments: faults)
    func faultsHaveAPlace(_ text: String, _ expected: TokenError.Code, _ offset: Int?) throws {
        let whole = text.replacing("H", with: encode(#"{"alg":"HS256"}"#)).replacing("C", with: "e30")
        let error = try #require(throws: TokenError.self) { try UnverifiedToken(parsing: whole) }
        #expect(error.code == expected)
        #expect(error.offset == offset)
    }

    @Test(
        arguments: [
            ("", .invalidHeader), ("[]", .invalidHeader), ("{}", .invalidHeader),
            (#"{"alg":1}"#, .invalidHeader),
            (#"{"alg":null}"#, .invalidHeader), (#"{"alg":"HS256"} x"#, .invalidHeader),
            (#"{"alg":"HS256","kid":1}"#, .invalidHeader), (#"{"alg":"HS256","typ":[]}"#, .invalidHeader),
            (#"{"alg":"HS256","alg":"none"}"#, .duplicateMember),
            (#"{"alg":"HS256","\u0061lg":"none"}"#, .duplicateMember),
            (#"{"alg":"HS256","crit":[]}"#, .invalidHeader),
            (#"{"alg":"HS256","crit":"b64"}"#, .invalidHeader),
            (#"{"alg":"HS256","crit":[1]}"#, .invalidHeader),
            (#"{"alg":"HS256","crit":["b64"]}"#, .invalidHeader),
            (#"{"alg":"HS256","b64":true,"crit":["b64","b64"]}"#, .invalidHeader),
            (#"{"alg":"HS256","b64":false,"crit":["b64"]}"#, .unsupportedCriticalHeader),
            (#"{"alg":"HS256","exp":1,"crit":["exp"]}"#, .unsupportedCriticalHeader),
        ] as [(String, TokenError.Code)]
    )
    func headers(_ header: String, _ expected: TokenError.Code) throws {
        let token = try forge(header, "{}", TestKeys.key(.hs256))
        #expect(code { try UnverifiedToken(parsing: token) } == expected)
        #expect(code { try PayloadVerifier(key: TestKeys.key(.hs256)).verify(token) } == expected)
    }

    @Test func duplicateClaims() throws {
        let token = try forge(#"{"alg":"HS256"}"#, #"{"exp":1,"exp":9999999999}"#, TestKeys.key(.hs256))
        let error = try #require(throws: TokenError.self) {
            try TokenVerifier(key: TestKeys.key(.hs256)).verify(token, at: 0)
        }
        #expect(error.code == .duplicateMember)
        // Octet 9 of the claims, which start after a header of 20 octets and its dot.
        #expect(error.offset == 21 + 12)
    }

    @Test func sizes() throws {
        let key = try TestKeys.key(.hs256)
        let token = try TokenSigner(key: key).sign(payload: Array("{}".utf8))
        let size = token.utf8.count
        _ = try UnverifiedToken(parsing: token, maximumSize: size)
        #expect(code { try UnverifiedToken(parsing: token, maximumSize: size - 1) } == .tooLarge)
        var verifier = try TokenVerifier(key: key)
        #expect(verifier.maximumSize == 16384)
        verifier.maximumSize = size - 1
        #expect(code { try verifier.verify(token, at: 0) } == .tooLarge)
        #expect(code { try UnverifiedToken(parsing: String(repeating: "A", count: 16385)) } == .tooLarge)
    }

    @Test func deepClaimsAreRefused() throws {
        let deep = String(repeating: #"{"a":"#, count: 1000) + "1" + String(repeating: "}", count: 1000)
        let token = try forge(#"{"alg":"HS256"}"#, deep, TestKeys.key(.hs256))
        #expect(code { try UnverifiedToken(parsing: token) } == .invalidClaims)
    }

    @Test func errorsDescribeThemselves() {
        #expect("\(TokenError(.malformed, "no", at: 3))" == "malformed: no at octet 3")
        let cause = TokenError(.cryptographyFailure, "b")
        #expect(
            "\(TokenError(.invalidKey, "a", underlying: cause))" == "invalidKey: a (cryptographyFailure: b)"
        )
    }
}

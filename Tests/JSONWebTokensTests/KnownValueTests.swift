import Cryptography
import Encodings
import JSONWebTokens
import Testing

@Suite struct KnownValueTests {
    /// RFC 7515, appendix A.1; RFC 7519, section 3.1.
    @Test func hs256() throws {
        let key = try JSONWebKey(
            parsing: Array(
                #"{"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"}"#
                    .utf8
            ),
            algorithm: .hs256
        )
        let token =
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9"
            + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
            + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let verified = try TokenVerifier(key: key, issuer: "joe").verify(token, at: 1_300_819_379)
        #expect(verified.claims["http://example.com/is_root"] == true)
        #expect(verified.claims.expiration == 1_300_819_380)
        #expect(verified.compactText == token)
        #expect(code { try TokenVerifier(key: key).verify(token, at: 1_300_819_380) } == .expired)
    }

    /// RFC 8037, appendix A.1 to A.5.
    @Test func edDSA() throws {
        let key = try JSONWebKey(
            parsing: Array(
                #"{"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#
                    .utf8
            )
        )
        #expect(try key.thumbprint() == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
        let text = try TokenSigner(key: key, type: nil).sign(
            payload: Array("Example of Ed25519 signing".utf8)
        )
        #expect(
            text
                == "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc."
                + "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
        )
        let verified = try PayloadVerifier(key: key).verify(text)
        #expect(verified.payload == Array("Example of Ed25519 signing".utf8))
        #expect("\(verified)" == "VerifiedPayload(26 octets)")
        var dumped = ""
        dump(verified, to: &dumped)
        #expect(!dumped.contains("Example") && !dumped.contains("\(verified.payload[0])"))
        #expect(Mirror(reflecting: verified).children.isEmpty)
    }

    /// RFC 7638, section 3.1.
    @Test func thumbprint() throws {
        let key = try JSONWebKey(
            parsing: Array(
                #"{"kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw","e":"AQAB","alg":"RS256","kid":"2011-04-29"}"#
                    .utf8
            )
        )
        #expect(try key.thumbprint() == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
        #expect(key.keyID == "2011-04-29")
    }
}

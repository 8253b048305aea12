import Encodings
import JSONWebTokens
import Timing

extension Command {
    static let tokenMint = Command(
        ["token", "mint"],
        "make a token",
        discussion: [
            "The token is a JWT in compact form. Claims of --claims come first; options replace those of the same "
                + "name. The claims iat and exp are set unless the file has them and neither --at nor --lifetime is given.",
            "A bound token has the claim pay: the SHA-256, in Base 64, of the value that the request's fields carry.",
        ],
        options: [
            .file("key", "the private key (PEM or JSON Web Key) or the secret", isRequired: true),
            .algorithm, .keyID, .secretFormat,
            .value("issuer", "NAME", "the claim iss"),
            .value("audience", "NAME", "the claim aud: the host of the API", isRepeatable: true),
            .value("subject", "NAME", "the claim sub"),
            .value("lifetime", "SECONDS", "how long the token is good, by default 300"),
            .value("at", "DATE", "when it is issued: RFC 3339, or seconds since 1970; by default now"),
            .file("claims", "a JSON object of further claims, or -"),
            .bindHeaderFile, .bindVariable,
        ],
        examples: [
            .init(
                purpose: "Make a token for an API",
                line: "protection token mint --key private.pem --audience api.example.com > token.jwt"
            ),
            .init(
                purpose: "Sign with a secret, with claims from standard input, as of a date",
                line: "echo '{\"device\":\"test\"}' | protection token mint --key secret.hex "
                    + "--secret-format hex --alg HS256 --audience api.example.com --claims - --at 2026-01-01T00:00:00Z"
            ),
            .init(
                purpose: "Bind a token to the credentials of a user",
                line: "protection token mint --key private.pem --audience api.example.com "
                    + "--bind-header-file authorization.txt"
            ),
        ],
        run: TokenMint.run
    )
}

/// `token mint`.
enum TokenMint {
    static func run(_ invocation: Invocation) async throws {
        let keyFile = try KeyFile(invocation)
        let claims = try claims(invocation)
        let signer = try TokenSigner(key: try keyFile.signingKey(try invocation.arguments.required("key")))
        let token = try signer.sign(claims)
        guard invocation.console.isJSON else { return try invocation.console.write(token) }
        try invocation.console.write(["token": .string(token), "claims": .object(claims.members)])
    }

    private static func claims(_ invocation: Invocation) throws -> TokenClaims {
        let arguments = invocation.arguments
        var claims = TokenClaims()
        if let path = arguments["claims"] {
            let octets = try invocation.files.read(path, "the claims", limit: 64 << 10, trust: .any)
            guard let object = try JSONValue(parsing: octets).object else {
                throw TokenError(.invalidClaims, "the claims are not a JSON object")
            }
            claims = try TokenClaims(object)
        }
        if let issuer = arguments["issuer"] { claims.issuer = issuer }
        if let subject = arguments["subject"] { claims.subject = subject }
        if arguments.has("audience") { claims.audience = arguments[all: "audience"] }
        // Until the year 9999, after which a token cannot be read.
        let lifetime = try arguments.integer("lifetime", in: 1...253_402_300_799)
        let date = try arguments.date("at")
        let issuedAt = date ?? claims.issuedAt ?? invocation.time.secondsSince1970
        claims.issuedAt = issuedAt
        if claims.expiration == nil || lifetime != nil || date != nil {
            claims.expiration = issuedAt + (lifetime ?? 300)
        }
        if let binding = try TokenBinding(invocation) { claims["pay"] = .string(binding.claim) }
        return claims
    }
}

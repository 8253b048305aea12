import Encodings
import JSONWebTokens
import Timing

extension Command {
    static let tokenVerify = Command(
        ["token", "verify"],
        "verify a token",
        discussion: [
            "The signature is checked first, then type, times, issuer and audience, and the binding when a value for "
                + "it is given. The exit code is 0 when all is right and 1 when anything is not."
        ],
        options: [
            .file("key", "the public key (PEM, certificate or JSON Web Key) or the shared secret"),
            .file("jwks", "a JSON Web Key Set"),
            .algorithm, .secretFormat,
            .value("audience", "NAME", "the claim aud that the token must have", isRequired: true),
            .value("issuer", "NAME", "the claim iss that the token must have"),
            .value("type", "TYPE", "a typ that the token may have, by default JWT", isRepeatable: true),
            .value("leeway", "SECONDS", "by how much clocks may differ, by default 0"),
            .value("at", "DATE", "the time to verify at: RFC 3339, or seconds since 1970; by default now"),
            .bindHeaderFile, .bindVariable,
        ],
        operands: [
            .init(name: "FILE", kind: .file, summary: "the file with the token, or - for standard input")
        ],
        examples: [
            .init(
                purpose: "Verify a token",
                line: "protection token verify --key public.pem --audience api.example.com token.jwt"
            ),
            .init(
                purpose: "Make a bound token and verify it with its binding, from the environment",
                line: "export CREDENTIALS='Bearer user'; protection token mint --key private.pem "
                    + "--audience api.example.com --bind-env CREDENTIALS | protection token verify "
                    + "--key public.pem --audience api.example.com --bind-env CREDENTIALS -"
            ),
            .init(
                purpose: "Verify with the keys of an authority, two seconds of difference allowed",
                line:
                    "protection token verify --jwks keys.json --audience api.example.com --leeway 2 token.jwt"
            ),
        ],
        run: TokenVerify.run
    )
}

/// `token verify`.
enum TokenVerify {
    static func run(_ invocation: Invocation) async throws {
        let arguments = invocation.arguments
        let date = try arguments.date("at")
        var verifier = try verifier(invocation)
        verifier.issuer = arguments["issuer"]
        verifier.audience = try arguments.required("audience")
        verifier.acceptedTypes = arguments.has("type") ? arguments[all: "type"] : ["JWT"]
        verifier.leeway = try arguments.integer("leeway", in: 0...86_400) ?? 0
        let binding = try TokenBinding(invocation)
        let text = try TokenFileReader.token(arguments.operands[0], invocation.files)
        // After reading: a token that comes through a pipe may have been made while this command waited for it.
        let now = date ?? invocation.time.secondsSince1970
        let token = try verifier.verify(text, at: now)
        let claim = token.claims["pay"]
        if let binding, !binding.matches(claim?.string) {
            throw ToolError(.bindingMismatch, "the token is not bound to the given value")
        }
        let isBindingOpen = binding == nil && claim != nil
        let shown = TokenText(header: token.header, claims: token.claims, now: now)
        guard invocation.console.isJSON else {
            let style = invocation.console.style
            let note =
                isBindingOpen ? "\nits binding was not checked: there was no value to check it with" : ""
            return try invocation.console.write("\(style.green("VERIFIED"))\(note)\n\(shown.text(style))")
        }
        try invocation.console.write([
            "verified": true,
            "bindingChecked": .bool(binding != nil),
            "header": .object(shown.header.members),
            "claims": .object(shown.claims.members),
            "dates": .object(shown.dates),
        ])
    }

    private static func verifier(_ invocation: Invocation) throws -> TokenVerifier {
        let keyFile = try KeyFile(invocation)
        try invocation.arguments.exclude("key", "jwks")
        if let path = invocation.arguments["key"] {
            return try TokenVerifier(key: keyFile.verifyingKey(path))
        }
        guard let path = invocation.arguments["jwks"] else {
            throw invocation.usage("--key or --jwks says what to verify with")
        }
        guard keyFile.secretFormat == nil else {
            throw invocation.usage("--secret-format belongs to --key")
        }
        return try TokenVerifier(keys: keyFile.keySet(path))
    }
}

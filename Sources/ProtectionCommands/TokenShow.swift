import Encodings
import JSONWebTokens
import Timing

extension Command {
    static let tokenShow = Command(
        ["token", "show"],
        "show what a token says, without verifying it",
        discussion: [
            "Anyone can have written what is shown: 'protection token verify' checks it. The signature is never shown, "
                + "so the output is no token and may be put in a log."
        ],
        operands: [
            .init(name: "FILE", kind: .file, summary: "the file with the token, or - for standard input")
        ],
        examples: [
            .init(purpose: "Show a token", line: "protection token show token.jwt"),
            .init(purpose: "Show it as JSON", line: "protection token show --json - < token.jwt"),
        ],
        run: TokenShow.run
    )
}

/// `token show`.
enum TokenShow {
    static func run(_ invocation: Invocation) async throws {
        let text = try TokenFileReader.token(invocation.arguments.operands[0], invocation.files)
        let token = try UnverifiedToken(parsing: text)
        let shown = TokenText(
            header: token.header,
            claims: token.unverifiedClaims,
            now: invocation.time.secondsSince1970
        )
        guard invocation.console.isJSON else {
            let style = invocation.console.style
            return try invocation.console.write(
                """
                \(style.red("NOT VERIFIED")): anyone can have written this
                \(shown.text(style))
                \(style.bold("loggable form"))
                  \(token.loggableForm.escapingControls)
                """
            )
        }
        try invocation.console.write([
            "verified": false,
            "header": .object(shown.header.members),
            "claims": .object(shown.claims.members),
            "dates": .object(shown.dates),
            "loggable": .string(token.loggableForm),
        ])
    }
}

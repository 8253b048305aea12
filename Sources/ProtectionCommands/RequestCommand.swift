import Cryptography
import HTTPMessages
import HTTPTransport
import Protection

extension Command {
    static let request = Command(
        ["request"],
        "send a request, protected as a configuration says",
        discussion: [
            "The options are those of curl where both have them. Redirects are not followed. Without --config the "
                + "request is sent as it is. Credentials are not taken from the command line: -H @FILE reads lines of "
                + "fields from a file, or from standard input as -H @-.",
            "--authority-key runs a whole attestation authority inside the command, for development: it has the account "
                + "and the hosts of the configuration, and signs with the key of the file.",
        ],
        options: [
            .value("request", short: "X", "METHOD", "the method, by default GET, or POST with content"),
            .value(
                "header",
                short: "H",
                "LINE",
                "a field as 'Name: value', or @FILE for a file of such lines",
                isRepeatable: true
            ),
            .value("data", short: "d", "DATA", "the content, or @FILE for that of a file, as it is"),
            .flag("include", short: "i", "write the head of the response too"),
            .value("output", short: "o", "FILE", "write the content to a file", kind: .file),
            .flag("verbose", short: "v", "tell each decision and the time of each step on standard error"),
            .flag("fail", short: "f", "end with 1 when the status is 400 or more, and write no content"),
            .value("max-time", short: "m", "SECONDS", "how long all may take, by default 60"),
            .file("cacert", "the roots to trust in place of the system's, in PEM"),
            .file("config", "the configuration line"),
            .file("token-file", "send the token that another process keeps in this file"),
            .file("authority-key", "mint tokens with this private key or secret, for development"),
            .file("secrets", "the secure strings of that authority: a JSON object of names and secrets"),
            .algorithm, .secretFormat,
            .value("token-header", "NAME", "the field that carries the token, by default Protection-Token"),
            .value("token-prefix", "TEXT", "what stands before the token"),
            .value("bind", "NAME", "bind the token to this field", isRepeatable: true),
            .value(
                "substitute-header",
                "NAME",
                "replace this field's value by the secret it names",
                isRepeatable: true
            ),
            .value(
                "substitute-query",
                "NAME",
                "replace this query parameter's value by the secret it names",
                isRepeatable: true
            ),
        ],
        operands: [.init(name: "URL", kind: .text, summary: "where the request goes")],
        examples: [
            .init(
                purpose: "Send a plain request",
                line: "protection request https://api.example.com/v1/shapes"
            ),
            .init(
                purpose: "Send the token of a file, and see each decision",
                line:
                    "protection request -v --config app.config --token-file token.jwt https://api.example.com/v1/shapes"
            ),
            .init(
                purpose: "Develop with an authority inside, the token bound to credentials from a file",
                line:
                    "protection request --config app.config --authority-key private.pem -H @credentials.txt "
                    + "--bind Authorization -d '{\"side\":3}' -H 'Content-Type: application/json' "
                    + "https://api.example.com/v1/shapes"
            ),
            .init(
                purpose: "Have a placeholder replaced by a secret",
                line:
                    "protection request --config app.config --authority-key private.pem --secrets secrets.json "
                    + "--substitute-header Api-Key -H 'Api-Key: shapes-key' https://api.example.com/v1/shapes"
            ),
        ],
        run: RequestCommand.run
    )
}

/// `request`.
enum RequestCommand {
    static func run(_ invocation: Invocation) async throws {
        let times = StepTimes(invocation.time)
        let request = try RequestBuilder(invocation: invocation).request()
        let limit = try limit(invocation)
        let session = try session(invocation, limit)
        let (isVerbose, console) = (invocation.arguments.has("verbose"), invocation.console)
        defer { if isVerbose { console.note("* time: \(times.text)") } }
        let service = try await times.measure("config") {
            try await RequestProtection(invocation: invocation, target: request.target, times: times).service(
                limit: limit
            )
        }
        let update = await times.measure("protection in all") { await service.updateRequest(request) }
        if isVerbose { tell(update, console) }
        if let error = update.error { throw error }
        let response = try await times.measure("transport") { try await session.data(for: update.request) }
        if isVerbose { tell(response, console) }
        guard !invocation.arguments.has("fail") || response.status.code < 400 else {
            throw ToolError(.httpStatus, "the server answered \(response.status)")
        }
        try ResponseWriter(invocation: invocation).write(response, update, times)
    }

    private static func session(_ invocation: Invocation, _ limit: Duration) throws -> any HTTPSession {
        var configuration = CurlSession.Configuration(timeout: limit)
        if let path = invocation.arguments["cacert"] {
            let roots = try invocation.files.read(path, "the roots", limit: 4 << 20, trust: .readableByOthers)
            // Read once here, so that a file without a certificate is an error and not a distrust of all servers.
            _ = try Certificate.all(pem: String(decoding: roots, as: UTF8.self))
            configuration.trustRoots = .pem(roots)
        }
        return try invocation.surroundings.makeSession(configuration)
    }

    private static func limit(_ invocation: Invocation) throws -> Duration {
        guard let text = invocation.arguments["max-time"] else { return .seconds(60) }
        let isDecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        guard isDecimal, let seconds = Double(text), (0.001...86_400).contains(seconds) else {
            throw invocation.usage("--max-time takes seconds from 0.001 to 86400")
        }
        return .seconds(seconds)
    }

    /// The lengths of the values are told, and never the values.
    private static func tell(_ update: RequestUpdate, _ console: Console) {
        console.note("* decision: \(update.decision), \(update.message.escapingControls)")
        guard update.error == nil else { return }
        let mutations = update.mutations
        if let name = mutations.tokenHeader { console.note("* token attached in \(name)") }
        for name in mutations.substitutedHeaders { console.note("* secret put in \(name)") }
        for name in mutations.substitutedQueryParameters {
            console.note("* secret put in query parameter \(name.escapingControls)")
        }
        console.note("> \(update.request)")
        for field in update.request.fields { console.note("> \(field)") }
        if let body = update.request.body { console.note("> \(body)") }
    }

    private static func tell(_ response: HTTPResponse, _ console: Console) {
        console.note("< \(response)")
        for field in response.fields { console.note("< \(field)") }
    }
}

import HTTPInterceptors
import HTTPMessages
import Protection

extension Command {
    static let request = Command(
        ["request"],
        "send a request, protected as a configuration says",
        discussion: [
            "The options are those of curl where both have them. Redirects are not followed without -L. Without --config the "
                + "request is sent as it is. Credentials are not taken from the command line: -H @FILE reads lines of "
                + "fields from a file, or from standard input as -H @-.",
            "With -o the content goes into the file as it comes in, and the file has its name only when it is whole. Of "
                + "another status than 200 to 299 nothing is saved, and the first 64 KiB of the content are written as without -o.",
            "Fields from files and the client's certificate are for the host of URL: a redirect to another origin gets none.",
            "Each retry and each hop of a redirect is a request of its own: protected, signed and pinned for its host. A POST "
                + "without an Idempotency-Key is not retried, nor is a content that breaks off.",
            "--authority-key runs a whole attestation authority inside the command, for development: it has the account "
                + "and the hosts of the configuration, and signs with the key of the file.",
            "The key of the client's certificate can be in a device: --provider tpm2 with --key FILE, as 'keys new' makes it, or "
                + "--key handle:0x81000001; --provider pkcs11 with --key pkcs11:token=...;object=... for a token.",
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
            .maxTime,
            .value(
                "retry",
                "NUMBER",
                "how often to try again after a fault that may pass: by default 0, at most 20"
            ),
            .flag("location", short: "L", "follow redirects, at most 5"),
            .flag("http1.1", "speak HTTP/1.1 only"),
            .flag("http2", "speak HTTP/2 with servers that can, as is the default"),
            .roots, .pin, .clientCertificate, .clientKey, .clientKeyProvider, .providerConfiguration,
            .passphraseFile, .proxy, .proxyUser,
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
                purpose: "Download to a file, and try again when the network fails",
                line:
                    "protection request -f -o shapes.json --retry 3 https://api.example.com/v1/shapes && cat shapes.json"
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
        var (request, secretFields) = try RequestBuilder(invocation: invocation).request()
        let options = SessionOptions(invocation: invocation)
        let limit = try options.limit()
        let (arguments, console) = (invocation.arguments, invocation.console)
        let pins = try PinOption.policy(invocation)
        let retries = try arguments.integer("retry", in: 0...20) ?? 0
        let session = try invocation.surroundings.makeSession(
            options.configuration(for: request.target.host)
        )
        defer { if arguments.has("verbose") { console.note("* time: \(times.text)") } }
        let service = try await times.measure("config") {
            try await RequestProtection(invocation: invocation, target: request.target, times: times).service(
                limit: limit
            )
        }
        if arguments.has("max-time") { request.options.timeout = limit }
        if !pins.isEmpty { request.options.pins = pins.over(service.pins) }
        let protection = ProtectionStep(
            service: service,
            times: times,
            teller: arguments.has("verbose") ? console : nil
        )
        var interceptors: [any HTTPInterceptor] = []
        if arguments.has("location") {
            interceptors.append(
                RedirectInterceptor(
                    sensitiveFields: { [secretFields] in service.fieldsOfOneOrigin + secretFields },
                    time: invocation.time
                )
            )
        }
        if retries > 0 {
            interceptors.append(retry(Int(retries), within: request.options.timeout, invocation))
        }
        interceptors.append(protection)
        let writer = ResponseWriter(invocation: invocation)
        // A limit that was asked for holds for the content of a download, all retries and all hops together.
        let response = try await TimeLimit.value(
            within: arguments.has("max-time") ? limit : nil,
            time: invocation.time
        ) { [request, interceptors] in
            try await writer.receive(request, from: session, through: interceptors)
        }
        guard !arguments.has("fail") || response.status.code < 400 else {
            throw ToolError(.httpStatus, "the server answered \(response.status)")
        }
        try writer.write(response, protection.update, times)
    }

    private static func retry(
        _ count: Int,
        within limit: Duration?,
        _ invocation: Invocation
    ) -> RetryInterceptor {
        var policy = RetryPolicy()
        policy.maximumAttempts = count + 1
        policy.totalLimit = limit
        return RetryInterceptor(policy: policy, budget: RetryBudget(reserve: count), time: invocation.time)
    }
}

extension PinningPolicy {
    /// These pins, and those of another policy for hosts that have none here.
    fileprivate func over(_ other: PinningPolicy?) -> PinningPolicy {
        var policy = other ?? PinningPolicy()
        for (host, set) in hosts { policy[host] = set }
        if let others { policy.others = others }
        return policy
    }
}

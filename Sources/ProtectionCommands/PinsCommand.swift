import Encodings
import HTTPMessages
import HTTPTransport
import Timing

extension Command {
    static let pins = Command(
        ["pins"],
        "show the pins of a server's certificates",
        discussion: [
            "Makes one TLS handshake with each server and sends nothing after it. For each certificate of the chain it "
                + "shows the pin as 'config make --pin' and 'request --pin' take it, and as sha256/...",
            "A chain that is not trusted is shown and marked, and the exit code is 1. Its pins may be those of somebody in "
                + "between. Pin a backup too: a key that is not in use yet ('keys show' tells its pin).",
            "--max-time holds for each server. One that cannot be asked is reported, and the others are asked all the same.",
        ],
        options: [
            .maxTime, .roots, .clientCertificate, .clientKey, .clientKeyProvider, .providerConfiguration,
            .passphraseFile, .proxy, .proxyUser,
        ],
        operands: [
            .init(
                name: "URL",
                kind: .text,
                summary: "the server, as an https URL; path and query do not matter",
                isRepeatable: true
            )
        ],
        examples: [
            .init(purpose: "Show the pins of a server", line: "protection pins https://api.example.com"),
            .init(purpose: "Show them as JSON", line: "protection pins --json https://api.example.com"),
        ],
        run: PinsCommand.run
    )
}

/// `pins`.
enum PinsCommand {
    static func run(_ invocation: Invocation) async throws {
        let console = invocation.console
        var targets: [RequestTarget] = []
        for text in invocation.arguments.operands {
            let target: RequestTarget
            do throws(HTTPMessageError) { target = try RequestTarget(text) } catch {
                throw invocation.usage("\(error)")
            }
            guard target.isSecure else {
                throw invocation.usage(
                    "only https has certificates: \(target.authority) is to be asked by http"
                )
            }
            targets.append(target)
        }
        let session = try CurlSession(configuration: SessionOptions(invocation: invocation).configuration())
        var servers: [JSONValue] = []
        var ends: [ExitCode] = []
        for target in targets {
            do {
                let server = ChainDescription(target: target, chain: try await session.chain(of: target))
                servers.append(server.json)
                if !server.isTrusted { ends.append(.refused) }
                guard !console.isJSON else { continue }
                try console.write(server.text(console.style, now: invocation.time.secondsSince1970))
            } catch let error as TransportError where targets.count > 1 {
                let error = ToolError(error)
                servers.append(Self.failure(of: target, error))
                ends.append(error.code.exit)
                if !console.isJSON { console.report(error) }
            }
        }
        if console.isJSON { try console.write(["servers": .array(servers)]) }
        guard let end = ends.first else { return }
        throw EarlyEnd(exit: ends.contains(.trouble) ? .trouble : end)
    }

    private static func failure(of target: RequestTarget, _ error: ToolError) -> JSONValue {
        var members = JSONObject()
        members["host"] = .string(target.host)
        members["authority"] = .string(target.authority)
        members["error"] = error.json.object?["error"]
        return .object(members)
    }
}

import Encodings
import HTTPMessages
import Protection

extension Command {
    static let configMake = Command(
        ["config", "make"],
        "make a configuration line",
        discussion: [
            "The line holds what an installation must know of its account. It holds nothing secret and is shipped with "
                + "the app. Its key is the public half of the authority's: PEM, a certificate, or a JSON Web Key."
        ],
        options: [
            .value("authority", "URL", "the URL of the attestation authority", isRequired: true),
            .value("account", "ID", "the account at the authority", isRequired: true),
            .value(
                "host",
                "PATTERN",
                "a host that gets tokens, or *. and a domain for all hosts one label below it",
                isRequired: true,
                isRepeatable: true
            ),
            .pin,
            .file("key", "the authority's public key", isRequired: true),
            .algorithm, .keyID,
        ],
        examples: [
            .init(
                purpose: "Make a configuration that protects one host",
                line: "protection config make --authority https://authority.example --account demo "
                    + "--host api.example.com --key public.pem"
            ),
            .init(
                purpose: "Protect a whole domain and pin one host",
                line: "protection config make --authority https://authority.example --account demo "
                    + "--host '*.example.com' --pin api.example.com=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= "
                    + "--key public.jwk"
            ),
        ],
        run: ConfigMake.run
    )
}

/// `config make`.
enum ConfigMake {
    static func run(_ invocation: Invocation) async throws {
        let arguments = invocation.arguments
        let authority = try value(invocation, "authority") { text throws(HTTPMessageError) in
            try RequestTarget(text)
        }
        var hosts: [HostPattern] = []
        for text in arguments[all: "host"] { hosts.append(try host(text, "host", invocation)) }
        let pins = try PinOption.policy(invocation)
        let key = try KeyFile(invocation).publicKey(try arguments.required("key"))
        let line = try ProtectionConfiguration(
            authority: authority,
            account: try arguments.required("account"),
            protectedHosts: hosts,
            pins: pins,
            authorityKey: key
        ).encoded()
        guard invocation.console.isJSON else { return try invocation.console.write(line) }
        try invocation.console.write(["config": .string(line)])
    }

    private static func host(
        _ text: String,
        _ option: String,
        _ invocation: Invocation
    ) throws(ToolError) -> HostPattern {
        do { return try HostPattern(text) } catch {
            throw invocation.usage("--\(option): \(error.message)")
        }
    }

    private static func value<Value>(
        _ invocation: Invocation,
        _ option: String,
        _ make: (String) throws(HTTPMessageError) -> Value
    ) throws(ToolError) -> Value {
        let text = try invocation.arguments.required(option)
        do { return try make(text) } catch {
            throw invocation.usage("--\(option): \(error)")
        }
    }
}

import AttestationAuthority
import Encodings
import EmbeddedAttestation
import HTTPMessages
import JSONWebTokens
import Protection

/// Sets a service up as the options of `request` say.
struct RequestProtection {
    /// Options that mean nothing without a configuration.
    private static let dependents = [
        "token-file", "authority-key", "secrets", "bind", "token-header", "token-prefix", "substitute-header",
        "substitute-query",
    ]

    let invocation: Invocation
    let target: RequestTarget
    let times: StepTimes

    func service(limit: Duration) async throws -> ProtectionService {
        let arguments = invocation.arguments
        let service = ProtectionService(
            options: .init(time: invocation.time, fetchLimit: limit, prefetches: false)
        )
        service.setLogSink(ConsoleLogSink(console: invocation.console))
        service.setLoggingLevel(arguments.has("verbose") ? .debug : .warning)
        guard let path = arguments["config"] else {
            for option in Self.dependents where arguments.has(option) {
                throw invocation.usage("--\(option) needs --config")
            }
            try service.initialize(config: "")
            return service
        }
        let line = try ConfigFile.line(path, invocation.files, trust: .readableByOthers)
        let fetcher = try await fetcher(try ProtectionConfiguration(parsing: line))
        try service.initialize(config: line, fetcher: TimedFetcher(base: fetcher, times: times))
        try applySettings(to: service)
        return service
    }

    private func applySettings(to service: ProtectionService) throws {
        let arguments = invocation.arguments
        if arguments.has("token-header") || arguments.has("token-prefix") {
            let header = service.tokenHeader
            try service.setTokenHeader(
                try arguments["token-header"].map { text in try name(text, "token-header") } ?? header.name,
                prefix: arguments["token-prefix"] ?? header.prefix
            )
        }
        var bound: [HTTPField.Name] = []
        for text in arguments[all: "bind"] { bound.append(try name(text, "bind")) }
        try service.setBindingHeaders(bound)
        for header in arguments[all: "substitute-header"] {
            try service.addSubstitutionHeader(name(header, "substitute-header"))
        }
        for parameter in arguments[all: "substitute-query"] {
            service.addSubstitutionQueryParameter(parameter)
        }
    }

    private func name(_ text: String, _ option: String) throws(ToolError) -> HTTPField.Name {
        do { return try HTTPField.Name(text) } catch {
            throw invocation.usage("--\(option) takes the name of a field")
        }
    }

    private func fetcher(_ configuration: ProtectionConfiguration) async throws -> any TokenFetcher {
        let arguments = invocation.arguments
        try arguments.exclude("token-file", "authority-key")
        try arguments.exclude("token-file", "secrets")
        if let path = arguments["token-file"] { return FileTokenFetcher(path: path, time: invocation.time) }
        guard let path = arguments["authority-key"] else {
            throw invocation.usage("--config needs --token-file, or --authority-key for development")
        }
        return try await embedded(configuration, try KeyFile(invocation).signingKey(path))
    }

    /// An authority inside the process, which knows the account and the hosts of the configuration.
    private func embedded(
        _ configuration: ProtectionConfiguration,
        _ key: JSONWebKey
    ) async throws -> any TokenFetcher {
        if let publicKey = key.publicKey, publicKey != configuration.authorityKey.publicKey {
            throw ToolError(.wrongKey, "the authority's key is not the one in the configuration")
        }
        let store = InMemoryAuthorityStore()
        let authority = try AttestationAuthority(
            issuer: configuration.authority.absoluteString,
            signingKey: key,
            store: store,
            time: invocation.time
        )
        try await authority.addAccount(
            Account(id: configuration.account, protectedHosts: configuration.protectedHosts)
        )
        for (name, secret) in try secrets() {
            try await store.setSecureString(name, account: configuration.account, to: secret)
        }
        return try EmbeddedTokenFetcher(authority: authority, account: configuration.account)
    }

    private func secrets() throws -> [(name: String, secret: String)] {
        guard let path = invocation.arguments["secrets"] else { return [] }
        let octets = try invocation.files.read(path, "the secrets", limit: 64 << 10, trust: .secret)
        guard let members = try JSONValue(parsing: octets).object?.members else {
            throw ToolError(.notText, "the secrets are not a JSON object of strings")
        }
        return try members.map { name, value in
            guard let secret = value.string else {
                throw ToolError(.notText, "the secrets are not a JSON object of strings")
            }
            return (name, secret)
        }
    }
}

import Cryptography
import HTTPMessages
import HTTPTransport

/// The options that say how a server is reached.
struct SessionOptions {
    let invocation: Invocation

    private var arguments: ParsedArguments { invocation.arguments }

    /// How long all may take.
    func limit() throws(ToolError) -> Duration {
        guard let text = arguments["max-time"] else { return .seconds(60) }
        let isDecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        guard isDecimal, let seconds = Double(text), (0.001...86_400).contains(seconds) else {
            throw invocation.usage("--max-time takes seconds from 0.001 to 86400")
        }
        return .seconds(seconds)
    }

    /// The session's configuration; the client's certificate is shown to the host alone, if one is given.
    func configuration(for host: String? = nil) throws -> CurlSession.Configuration {
        let limit = try limit()
        var configuration = CurlSession.Configuration(
            timeout: limit,
            connectTimeout: min(limit, .seconds(10))
        )
        if let path = arguments["cacert"] {
            let roots = try invocation.files.read(path, "the roots", limit: 4 << 20, trust: .readableByOthers)
            // Read once here, so that a file without a certificate is an error and not a distrust of all servers.
            _ = try Certificate.all(pem: String(decoding: roots, as: UTF8.self))
            configuration.trustRoots = .pem(roots)
        }
        try arguments.exclude("http1.1", "http2")
        configuration.allowsHTTP2 = !arguments.has("http1.1")
        configuration.proxy = try proxy()
        configuration.clientIdentity = try identity()
        configuration.clientIdentityHosts = try host.map { [try HostPattern($0)] }
        return configuration
    }

    private func identity() throws -> ClientIdentity? {
        let device = try DeviceOptions(invocation)
        guard let path = arguments["cert"] else {
            guard !arguments.has("key") else { throw invocation.usage("--key needs --cert") }
            guard device.provider == nil else { throw invocation.usage("--provider needs --cert and --key") }
            return nil
        }
        guard let place = arguments["key"] else { throw invocation.usage("--cert needs --key") }
        let chain = try text(path, "the client's certificate", limit: 1 << 20, trust: .readableByOthers)
        return try ClientIdentity(chain: Certificate.all(pem: chain), key: key(at: place, of: device))
    }

    private func key(at place: String, of device: DeviceOptions) throws -> PrivateKey {
        guard let name = device.provider else {
            return try PrivateKey(pem: text(place, "the client's key", limit: 64 << 10, trust: .secret))
        }
        // A colon before any slash ends the scheme of a URI.
        let isURI = place.first { $0 == ":" || $0 == "/" } == ":"
        return try isURI ? device.key(at: place, name) : device.key(inFile: place, name)
    }

    private func text(_ path: String, _ what: String, limit: Int, trust: InputFiles.Trust) throws -> String {
        let octets = try invocation.files.read(path, what, limit: limit, trust: trust)
        guard let text = String(validating: octets, as: UTF8.self) else {
            throw ToolError(.notText, "\(what) is not text in UTF-8")
        }
        return text
    }

    private func proxy() throws -> Proxy? {
        guard let url = arguments["proxy"] else {
            guard !arguments.has("proxy-user-file") else {
                throw invocation.usage("--proxy-user-file needs --proxy")
            }
            return nil
        }
        guard !url.contains("@") else {
            throw ToolError(
                .secretOnCommandLine,
                "the proxy's user stands on the command line, where all users of this machine can read it: "
                    + "put the line 'user:password' in a file and give --proxy-user-file FILE"
            )
        }
        guard let kind = [Proxy.Kind.http, .socks5].first(where: { url.hasPrefix("\($0.rawValue)://") }),
            let colon = url.lastIndex(of: ":"), let port = Int(url[url.index(after: colon)...]),
            case let start = url.index(url.startIndex, offsetBy: kind.rawValue.count + 3), start < colon
        else {
            throw invocation.usage("--proxy takes http://HOST:PORT or socks5h://HOST:PORT")
        }
        let host = String(url[start..<colon])
        guard let path = arguments["proxy-user-file"] else {
            return try Proxy(kind, host: host, port: port)
        }
        let line = try invocation.files.readLine(path, "the proxy's user", limit: 1 << 10, trust: .secret)
        guard let colon = line.firstIndex(of: ":") else {
            throw ToolError(.notText, "the file of the proxy's user is not a line 'user:password'")
        }
        return try Proxy(
            kind,
            host: host,
            port: port,
            user: String(line[..<colon]),
            password: String(line[line.index(after: colon)...])
        )
    }
}

extension CommandOption {
    static let maxTime = value(
        "max-time",
        short: "m",
        "SECONDS",
        "how long it may take, 0.001 to 86400; by default 60 for each exchange"
    )
    static let roots = file("cacert", "the roots to trust in place of the system's, in PEM")
    static let clientCertificate = file("cert", "the client's certificate and those above it, in PEM")
    static let clientKey = value(
        "key",
        "FILE",
        "the private key of that certificate, in PEM; with --provider the key file of a TPM, or the URI of a key in a device",
        kind: .file
    )
    static let clientKeyProvider = provider(
        ["tpm2", "pkcs11"],
        "the provider of OpenSSL for the device with that key"
    )
    static let proxy = value(
        "proxy",
        short: "x",
        "URL",
        "go through a proxy: http://HOST:PORT or socks5h://HOST:PORT"
    )
    static let proxyUser = file("proxy-user-file", "the proxy's user, as a line 'user:password'")
}

import HTTPMessages
import HTTPTransport
import Protection

/// Our sessions against the C program and `URLSession`.
///
/// Every client makes its request from the text of the URL each time, keeps its connections, takes the whole body and
/// checks it.
enum SessionBenchmarks {
    static let all: [Benchmark] = [Kind.session, .executor, .protected].flatMap { kind in
        [false, true].flatMap { isSecure in
            (kind == .protected ? [1, 16] : [1, 16, 256]).map {
                make(kind, isSecure: isSecure, inFlight: $0)
            }
        }
    }

    private enum Kind: String {
        case session
        /// With tasks that run on the session's thread.
        case executor
        case protected
    }

    private static func make(_ kind: Kind, isSecure: Bool, inFlight: Int) -> Benchmark {
        Benchmark(
            name: "\(kind) \(isSecure ? "tls" : "plain") \(inFlight)",
            note: isSecure ? "URLSession on Linux cannot be told to trust a root of one's own" : nil
        ) { server in
            let url = (isSecure ? server.secure : server.plain) + "/v1/shapes?sides=4"
            let caPath = isSecure ? server.caPath : nil
            let transport = try CurlSession(
                configuration: .init(
                    trustRoots: caPath.map { .file($0) } ?? .system,
                    maximumConnectionsPerHost: max(inFlight, 64)
                )
            )
            let token = kind == .protected ? try ServiceBenchmarks.makeToken() : nil
            let header = token.map { (name: "Protection-Token", value: $0) }
            var ours =
                if let token {
                    contender(
                        "ProtectedSession",
                        try await ServiceBenchmarks.makeSession(transport, token: token),
                        url,
                        inFlight
                    )
                } else {
                    contender("CurlSession", transport, url, inFlight)
                }
            if kind == .executor { ours = ours.preferring(transport.executor) }
            let floor = try FloorClient(caPath: caPath).contender(
                url: url,
                header: header.map { "\($0.name): \($0.value)" },
                inFlight: inFlight
            )
            guard !isSecure else { return [ours, floor] }
            return [ours, floor, FoundationClient().contender(url: url, header: header, inFlight: inFlight)]
        }
    }

    static func contender(
        _ name: String,
        _ session: some HTTPSession,
        _ url: String,
        _ inFlight: Int
    ) -> Contender {
        Contender(name, inFlight: inFlight) {
            let response = try await session.data(from: url)
            guard response.status == .ok, response.body.count == LoadServer.bodySize else {
                throw BenchmarkError("\(name) gave a wrong response")
            }
        }
    }
}

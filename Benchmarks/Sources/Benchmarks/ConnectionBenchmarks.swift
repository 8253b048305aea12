import Cryptography
import Foundation
import HTTPMessages
import HTTPTransport

/// HTTP/2, new connections with pins, and large content, against the C program.
enum ConnectionBenchmarks {
    static let all: [Benchmark] =
        [false, true].flatMap { usesExecutor in
            [1, 16, 256].map { http2(inFlight: $0, usesExecutor: usesExecutor) }
        }
        + [pinned] + [false, true].map(download)

    private static func http2(inFlight: Int, usesExecutor: Bool) -> Benchmark {
        Benchmark(name: "\(usesExecutor ? "executor" : "session") http2 \(inFlight)", note: HTTP2Server.note)
        { _ in
            guard HTTP2Server.isPresent else { return [] }
            let server = try HTTP2Server()
            let session = try CurlSession(configuration: .init(trustRoots: .file(server.caPath)))
            let floor = try FloorClient(caPath: server.caPath, usesHTTP2: true)
            let ours = SessionBenchmarks.contender("CurlSession", session, server.url, inFlight).keeping(
                server
            )
            return [
                usesExecutor ? ours.preferring(session.executor) : ours,
                floor.contender(url: server.url, inFlight: inFlight).keeping(server),
            ]
        }
    }

    /// The server closes each connection; the roots are those of the system, and the server's.
    private static let pinned = Benchmark(
        name: "connect pinned",
        note: "URLSession on Linux can pin nothing, and cannot be told to trust a root of one's own"
    ) { server in
        let url = server.secure + "/last"
        let root = try String(contentsOf: URL(filePath: server.caPath), encoding: .utf8)
        let pin = try Certificate(pem: root).subjectPublicKeyInfoSHA256
        let key = try String(contentsOf: URL(filePath: server.keyPath), encoding: .utf8)
        let system = try String(contentsOfFile: "/etc/ssl/certs/ca-certificates.crt", encoding: .utf8)
        let bundle = Bundle(text: system + root)
        try bundle.write()
        let pins = PinningPolicy([try HostPattern("127.0.0.1"): PinSet([try PublicKeyPin(sha256: pin)])])
        var configuration = CurlSession.Configuration(trustRoots: .file(bundle.path))
        configuration.pins = pins
        let session = try CurlSession(configuration: configuration)
        let floor = try FloorClient(caPath: bundle.path, pin: "sha256//\(key)")
        return [
            SessionBenchmarks.contender("CurlSession", session, url, 1).keeping(bundle),
            floor.contender("libcurl by default", url: url, inFlight: 1).keeping(bundle),
        ]
    }

    private static func download(isSecure: Bool) -> Benchmark {
        Benchmark(name: "download \(isSecure ? "tls" : "plain") 1 GiB", fewestOperations: 1) { server in
            let size = 1 << 30
            let url = "\(isSecure ? server.secure : server.plain)/large/\(size)"
            let caPath = isSecure ? server.caPath : nil
            let session = try CurlSession(
                configuration: .init(trustRoots: caPath.map { .file($0) } ?? .system)
            )
            let ours = Contender("CurlSession.bytes", inFlight: 1) {
                var count = 0
                let (_, stream) = try await session.bytes(for: HTTPRequest(url: url))
                for try await piece in stream { count += piece.count }
                guard count == size else { throw BenchmarkError("the content was cut") }
            }
            let floor = try FloorClient(caPath: caPath, discards: true)
            return [ours, floor.contender(url: url, inFlight: 1, size: size)]
        }
    }

    /// A file of trusted roots that goes with its last user.
    private final class Bundle: Sendable {
        let path = FileManager.default.temporaryDirectory.path + "/benchmarks-\(UUID().uuidString).pem"
        private let text: String

        init(text: String) { self.text = text }

        func write() throws { try Data(text.utf8).write(to: URL(filePath: path)) }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }
}

extension Contender {
    /// The same, which keeps an object alive.
    func keeping(_ object: some AnyObject & Sendable) -> Contender {
        Contender(name: name) { operations in
            defer { withExtendedLifetime(object) {} }
            return try await run(operations)
        }
    }
}

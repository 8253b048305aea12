import FoundationEssentials
import HTTPMessages
import HTTPServing
import Locking
import Testing

@Suite("Server start") struct HTTPServerStartTests {
    static let invalid: [HTTPServer.Configuration] = [
        .init(address: "localhost"), .init(address: ""), .init(address: "[::1]"), .init(port: -1),
        .init(port: 65536),
        .init(maximumBodySize: -1), .init(connectionMemory: 10), .init(maximumConnections: 0),
        .init(threadCount: 0),
        .init(requestTimeout: .zero), .init(requestTimeout: .seconds(1 << 40)),
        .init(responseTimeout: .zero), .init(responseTimeout: .seconds(1 << 40)),
        .init(maximumConnectionsPerAddress: 0),
        .init(idleTimeout: .zero), .init(idleTimeout: .seconds(1 << 40)),
    ]

    @Test(arguments: invalid.indices) func aSettingOutsideItsRangeIsRefused(index: Int) async throws {
        let error = try #require(throws: HTTPServerError.self) {
            try HTTPServer(configuration: Self.invalid[index], handler: Describer())
        }
        #expect(error.code == .invalidConfiguration)
    }

    @Test func aPortInUseIsRefused() async throws {
        let server = try HTTPServer(handler: Describer())
        let error = try #require(throws: HTTPServerError.self) {
            try HTTPServer(configuration: .init(port: server.port), handler: Describer())
        }
        #expect(error.code == .bindFailed && error.errorNumber != nil)
    }

    @Test func aBadKeyIsRefusedAndReportedWithoutIt() async throws {
        let messages = Mutex<[String]>([])
        let tls = HTTPServer.TLS(certificateChain: Array("chain".utf8), privateKey: Array("secret".utf8))
        let configuration = HTTPServer.Configuration(tls: tls) { error in
            messages.withLock { $0.append("\(error)") }
        }
        let error = try #require(throws: HTTPServerError.self) {
            try HTTPServer(configuration: configuration, handler: Describer())
        }
        #expect(error.code == .tlsSetupFailed)
        let texts = messages.withLock { $0 }
        #expect(
            !texts.isEmpty && texts.allSatisfy { $0.hasPrefix("libraryMessage: ") && !$0.contains("secret") }
        )
        #expect("\(tls)" == "certificate chain of 5 octets, key of 6 octets")
    }

    @Test func tlsIsServed() async throws {
        let folder = try await output(of: "mktemp -d").split(separator: "\n")[0]
        defer { try? FileManager.default.removeItem(atPath: String(folder)) }
        _ = try await output(
            of:
                "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=localhost"
                + " -addext subjectAltName=IP:127.0.0.1 -keyout \(folder)/key -out \(folder)/chain 2>/dev/null"
        )
        let tls = HTTPServer.TLS(
            certificateChain: Array(try Data(contentsOf: URL(filePath: "\(folder)/chain"))),
            privateKey: Array(try Data(contentsOf: URL(filePath: "\(folder)/key")))
        )
        let server = try HTTPServer(configuration: .init(tls: tls), handler: Describer())
        let curl = "curl -s --max-time 20 --noproxy '*' --cacert \(folder)/chain"
        #expect(try await output(of: "\(curl) \(server.url)/a").contains("GET /a\n\(server.url)/a\n"))
        #expect(try await output(of: "\(curl) --tls-max 1.2 \(server.url)/a").contains("GET /a\n"))
        #expect(try await output(of: "\(curl) --tls-max 1.1 \(server.url)/a || echo refused") == "refused\n")
        #expect(
            try await output(of: "curl -s --max-time 20 --noproxy '*' \(server.url)/ || echo refused")
                == "refused\n"
        )
    }
}

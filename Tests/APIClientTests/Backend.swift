import APIClient
import Cryptography
import FoundationEssentials
import HTTPMessages
import HTTPServing
import HTTPTransport
import Locking
import Timing

/// Certificates that live as long as the tests.
struct TestCertificates: Sendable {
    static let shared = Result { try TestCertificates() }

    let root: Certificate
    let leaf: Certificate
    let tls: HTTPServer.TLS

    private init() throws {
        let now = TimeSource.system.secondsSince1970
        let (rootKey, key) = (try PrivateKey.generate(.p256), try PrivateKey.generate(.p256))
        root = try CertificateBuilder(
            commonName: "Test Root",
            role: .authority(pathLength: 0),
            notBefore: now - 60,
            notAfter: now + 3600
        ).selfSigned(with: rootKey)
        var builder = CertificateBuilder(
            commonName: "localhost",
            role: .server,
            notBefore: now - 60,
            notAfter: now + 3600
        )
        builder.dnsNames = ["localhost", "a.localhost"]
        builder.ipAddresses = ["127.0.0.1"]
        leaf = try builder.issued(for: key.publicKey, by: root, key: rootKey)
        tls = HTTPServer.TLS(
            certificateChain: Array(leaf.pem.utf8),
            privateKey: Array(try key.pkcs8PEM().utf8)
        )
    }
}

/// A real server over TLS that answers as a test says and keeps what it was sent.
final class Backend: Sendable {
    /// What the handler, which is made before the backend itself, and the backend share.
    private final class Seen: Sendable {
        let requests = Mutex<[ServedRequest]>([])
    }

    let certificates: TestCertificates
    private let server: HTTPServer
    private let seen: Seen

    init(_ respond: @escaping @Sendable (ServedRequest) async throws -> HTTPResponse) throws {
        certificates = try TestCertificates.shared.get()
        let seen = Seen()
        self.seen = seen
        server = try HTTPServer(configuration: .init(tls: certificates.tls)) { request in
            seen.requests.withLock { $0.append(request) }
            do { return try await respond(request) } catch {
                return HTTPResponse(status: .internalServerError)
            }
        }
    }

    var requests: [ServedRequest] { seen.requests.withLock { $0 } }
    var url: String { "https://localhost:\(server.port)" }
    var port: Int { server.port }

    /// A configuration that trusts the backend.
    func configuration(_ path: String = "") -> API.Configuration {
        var configuration = API.Configuration(baseURL: url + path)
        configuration.transport.trustRoots = .pem(Array(certificates.root.pem.utf8))
        return configuration
    }

    func api(_ change: (inout API.Configuration) -> Void = { _ in }) throws -> API {
        var configuration = configuration()
        change(&configuration)
        return try API(configuration)
    }
}

extension HTTPResponse {
    static func json(
        _ text: String,
        _ status: Int = 200,
        _ headers: [(HTTPField.Name, String)] = []
    ) throws -> HTTPResponse {
        var response = HTTPResponse(status: try HTTPStatus(status), body: Array(text.utf8))
        try response.fields.set("application/json", for: .contentType)
        for (name, value) in headers { try response.fields.append(value, for: name) }
        return response
    }
}

struct Shape: Codable, Sendable, Hashable {
    var id: Int
    var name: String
}

/// A folder for one test.
final class TemporaryFolder: Sendable {
    let path: String = FileManager.default.temporaryDirectory.appending(path: "api-\(UUID().uuidString)").path

    init() throws {
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ bytes: [UInt8], _ name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: path + "/" + name))
        return path + "/" + name
    }
}

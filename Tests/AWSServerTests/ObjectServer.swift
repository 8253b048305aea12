import AWSSigning
import Cryptography
import Encodings
import FoundationEssentials
import Glibc
import HTTPMessages
import HTTPTransport
import Locking
import TestSupport

/// A server by others that checks signatures and keeps objects, with keys and a folder of this run.
final class ObjectServer: Sendable {
    /// The servers that there are.
    enum Kind: String, Sendable, CaseIterable {
        case seaweedFS
        case rclone
    }

    private static let servers = Mutex<[Kind: Task<ObjectServer, any Error>]>([:])
    private static let leftovers: Mutex<[String]> = {
        atexit { for path in ObjectServer.leftovers.withLock({ $0 }) { unsafe unlink(path) } }
        return Mutex([])
    }()

    /// The server of a kind, started once.
    static func running(_ kind: Kind) async throws -> ObjectServer {
        let task = servers.withLock { servers in
            let task = servers[kind] ?? Task { try await ObjectServer(kind) }
            servers[kind] = task
            return task
        }
        return try await task.value
    }

    let kind: Kind
    let credentials: AWSCredentials
    let wrongCredentials: AWSCredentials
    let profile: ServiceProfile
    let bucket: BucketAddress
    let session: CurlSession
    private let folder: TemporaryFolder
    private let daemon: Daemon

    private init(_ kind: Kind) async throws {
        self.kind = kind
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder["data/bucket"],
            withIntermediateDirectories: true
        )
        let secret = Hex.encode(try RandomBytes.generate(count: 20))
        let id = "AK" + Hex.encode(try RandomBytes.generate(count: 8)).uppercased()
        credentials = try AWSCredentials(accessKeyID: id, secretAccessKey: SecretBytes(Array(secret.utf8)))
        wrongCredentials = try AWSCredentials(
            accessKeyID: id,
            secretAccessKey: SecretBytes(Array("\(secret)x".utf8))
        )
        profile = try .s3(region: "us-east-1")
        session = try CurlSession()
        let port: Int
        switch kind {
        case .seaweedFS: (daemon, port) = try await Self.seaweedFS(folder, id, secret)
        case .rclone: (daemon, port) = try await Self.rclone(folder, id, secret)
        }
        bucket = try BucketAddress(endpoint: "http://127.0.0.1:\(port)", bucket: "bucket")
    }

    private static func seaweedFS(
        _ folder: TemporaryFolder,
        _ id: String,
        _ secret: String
    ) async throws -> (Daemon, port: Int) {
        let identities: JSONValue = [
            "identities": [
                [
                    "name": "test", "actions": ["Admin"],
                    "credentials": [["accessKey": .string(id), "secretKey": .string(secret)]],
                ]
            ]
        ]
        let configuration = try folder.write("identities.json", identities.serialized())
        let ports = (0..<8).map { _ in Loopback.freePort() }
        // Sockets that the program makes beside its ports.
        let grpc = zip(["master", "volume", "filer", "s3"], ports[4...])
        leftovers.withLock { $0 += grpc.map { "/tmp/seaweedfs-\($0)-grpc-\($1).sock" } }
        let daemon = try await Daemon(
            Peers.tool("weed"),
            [
                "server", "-dir=\(folder["data"])", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-filer", "-s3",
                "-master.port=\(ports[0])", "-volume.port=\(ports[1])", "-filer.port=\(ports[2])",
                "-s3.port=\(ports[3])", "-master.port.grpc=\(ports[4])", "-volume.port.grpc=\(ports[5])",
                "-filer.port.grpc=\(ports[6])", "-s3.port.grpc=\(ports[7])", "-s3.port.iceberg=0",
                "-s3.port.lance=0", "-s3.config=\(configuration)", "-s3.iam=false",
                "-master.telemetry=false", "-master.volumeSizeLimitMB=64", "-volume.max=20",
                "-filer.localSocket=\(folder["filer.sock"])", "-s3.localSocket=\(folder["s3.sock"])",
            ],
            log: folder["log"],
            port: ports[3]
        )
        return (daemon, ports[3])
    }

    private static func rclone(
        _ folder: TemporaryFolder,
        _ id: String,
        _ secret: String
    ) async throws -> (Daemon, port: Int) {
        let port = Loopback.freePort()
        let daemon = try await Daemon(
            Peers.tool("rclone"),
            [
                "serve", "s3", "--config", "/dev/null", "--addr", "127.0.0.1:\(port)", "--auth-key",
                "\(id),\(secret)", folder["data"],
            ],
            log: folder["log"],
            port: port
        )
        return (daemon, port)
    }

    // MARK: - Requests

    /// A session that signs what goes to the server.
    func signing(
        _ content: SigV4Interceptor.Content = .signed,
        with credentials: AWSCredentials? = nil
    ) throws -> InterceptedSession {
        let interceptor = try SigV4Interceptor(
            RequestSigner(profile),
            credentials: StaticCredentialsProvider(credentials ?? self.credentials),
            hosts: [HostPattern("127.0.0.1")],
            content: content
        )
        return InterceptedSession(session, interceptors: [interceptor])
    }

    /// Sends a signed request for an object, or for the bucket when the key is nil.
    func send(
        _ method: HTTPMethod,
        _ key: String? = nil,
        query: KeyValuePairs<String, String?> = [:],
        body: [UInt8]? = nil,
        through session: InterceptedSession? = nil
    ) async throws -> HTTPResponse {
        let target = try key.map { key throws(AWSSigningError) in try bucket.url(forKey: key, query: query) }
        let request = HTTPRequest(
            method: method,
            target: try target ?? bucket.url(query: query),
            body: body.map { HTTPBody($0) }
        )
        return try await (session ?? signing()).data(for: request)
    }
}

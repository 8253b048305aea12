import Cryptography
import Foundation
import StaticServer

/// The server of all HTTP benchmarks, in a process of its own: in C, so that it costs less than the clients do.
///
/// It tells its two URLs on standard output and ends with its standard input, so it never outlives the benchmarks.
@safe final class LoadServer {
    static let argument = "--serve"
    static let description = "C on libmicrohttpd in a process of its own, one thread, 256 octets a response"
    static let bodySize = 256

    private let pointer: OpaquePointer
    private let url: String

    private init(identity: Identity?) throws {
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: Self.bodySize)
        var port: UInt16 = 0
        let started = unsafe static_server_start(
            body,
            body.count,
            identity?.certificate,
            identity?.key,
            &port
        )
        guard let started = unsafe started else { throw BenchmarkError("the server cannot be started") }
        unsafe pointer = unsafe started
        url = "\(identity == nil ? "http" : "https")://127.0.0.1:\(port)"
    }

    deinit { unsafe static_server_stop(pointer) }

    static func run(caPath: String) throws {
        let identity = try Identity()
        try Data(identity.root.utf8).write(to: URL(filePath: caPath))
        try Data(identity.keyHash.utf8).write(to: URL(filePath: ServerAddress.keyPath(caPath)))
        let servers = [try LoadServer(identity: nil), try LoadServer(identity: identity)]
        withExtendedLifetime(servers) {
            for server in servers { show(server.url) }
            while readLine() != nil {}
        }
    }

    /// A root, and a certificate for this machine under it, all in PEM.
    struct Identity {
        let root: String
        let certificate: String
        let key: String
        /// The hash of the public key, in Base64.
        let keyHash: String

        init() throws {
            let now = Int64(Date.now.timeIntervalSince1970)
            let (start, end) = (now - 3600, now + 86_400)
            let (rootKey, key) = try (PrivateKey.generate(.p256), PrivateKey.generate(.p256))
            let root = try CertificateBuilder(
                commonName: "Benchmarks",
                role: .authority(pathLength: 0),
                notBefore: start,
                notAfter: end
            ).selfSigned(with: rootKey)
            var leaf = CertificateBuilder(
                commonName: "127.0.0.1",
                role: .server,
                notBefore: start,
                notAfter: end
            )
            leaf.ipAddresses = ["127.0.0.1"]
            let certificate = try leaf.issued(for: key.publicKey, by: root, key: rootKey)
            self.root = root.pem
            self.certificate = certificate.pem
            self.key = try key.pkcs8PEM()
            keyHash = Data(certificate.subjectPublicKeyInfoSHA256).base64EncodedString()
        }
    }
}

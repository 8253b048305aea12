import Cryptography
import HTTPServing
import Timing

/// An authority for certificates that lives as long as the demo, and one certificate for this machine.
struct ThrowawayCertificates {
    /// The root, which the app trusts, in PEM.
    let rootPEM: [UInt8]
    /// What the backend presents.
    let server: HTTPServer.TLS

    init() throws {
        let now = TimeSource.system.secondsSince1970
        let rootKey = try PrivateKey.generate(.p256)
        let serverKey = try PrivateKey.generate(.p256)
        let root = try CertificateBuilder(
            commonName: "Throwaway Root",
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
        builder.dnsNames = ["localhost"]
        let leaf = try builder.issued(for: serverKey.publicKey, by: root, key: rootKey)
        rootPEM = Array(root.pem.utf8)
        server = HTTPServer.TLS(
            certificateChain: Array(leaf.pem.utf8),
            privateKey: Array(try serverKey.pkcs8PEM().utf8)
        )
    }
}

import AppAttestation
import AppAttestationClient
import Cryptography
import Foundation

/// What it costs to verify what a client has attested, against the one signature in it.
enum AttestationBenchmarks {
    static let all: [Benchmark] = [
        Benchmark(name: "assertion") { _ in
            let client = try Client()
            let object = try client.assertion()
            let key = try client.verified().key
            let verifier = AssertionVerifier()
            let ours = Contender("AssertionVerifier.verify") {
                _ = try verifier.verify(object, clientDataHash: client.hash, key: key)
            }
            return [ours, try bare()]
        },
        Benchmark(name: "attestation") { _ in
            let client = try Client()
            let ours = Contender("AttestationVerifier.verify") { _ = try client.verified() }
            return [ours, try bare()]
        },
    ]

    /// A signature by another key of the same kind over as many octets.
    private static func bare() throws -> Contender {
        let key = try PrivateKey.generate(.p256)
        let message = [UInt8](repeating: 7, count: 32)
        let signature = try key.sign(message, using: .ecdsaP256SHA256)
        let publicKey = key.publicKey
        return Contender("PublicKey.isValidSignature") {
            guard try publicKey.isValidSignature(signature, for: message, using: .ecdsaP256SHA256) else {
                throw BenchmarkError("the signature is wrong")
            }
        }
    }

    /// An attested key of the software provider.
    private struct Client {
        private static let appID = "TEAM012345.com.example.benchmarks"

        let hash = [UInt8](repeating: 1, count: 32)
        private let provider: SoftwareAttestationProvider
        private let keyID: String
        private let object: [UInt8]
        private let verifier: AttestationVerifier

        init() throws {
            let folder = FileManager.default.temporaryDirectory.path + "/benchmarks-\(UUID().uuidString)"
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
            provider = SoftwareAttestationProvider(directory: folder, appID: Self.appID)
            keyID = try provider.generateKey()
            object = try provider.attestKey(keyID, clientDataHash: hash)
            verifier = try AttestationVerifier(
                appIDs: [Self.appID],
                formats: [InstallationKeyFormat()]
            )
        }

        func assertion() throws -> [UInt8] {
            try provider.generateAssertion(keyID, clientDataHash: hash)
        }

        func verified() throws -> VerifiedAttestation {
            guard let identifier = Data(base64Encoded: keyID) else {
                throw BenchmarkError("the key's identifier is not Base 64")
            }
            return try verifier.verify(object, keyID: Array(identifier), clientDataHash: hash)
        }
    }
}

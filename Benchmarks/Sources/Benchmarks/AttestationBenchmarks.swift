import AppAttestation
import AppAttestationClient
import Cryptography
import Foundation
import OpenSSLFloor

/// What it costs to verify what a client has attested, against the signatures in it.
enum AttestationBenchmarks {
    static let all: [Benchmark] = [
        Benchmark(name: "assertion", note: PythonPeer.note) { _ in
            let client = try Client()
            let object = try client.assertion()
            let key = try client.verified().key
            let verifier = AssertionVerifier()
            let ours = Contender("AssertionVerifier.verify") {
                _ = try verifier.verify(object, clientDataHash: client.hash, key: key)
            }
            return try [ours, floor(), bare()]
                + peer([
                    "ask": "assertion", "object": base64(object), "clientDataHash": base64(client.hash),
                    "appID": key.appID, "point": base64(key.publicKey.x963 ?? []),
                ])
        },
        Benchmark(name: "attestation self") { _ in
            let client = try Client()
            let ours = Contender("AttestationVerifier.verify") { _ = try client.verified() }
            return try [ours, floor(), bare()]
        },
        Benchmark(name: "attestation apple", note: PythonPeer.note) { _ in
            let sample = try AppleSample()
            let verifier = try AttestationVerifier(
                appIDs: [AppleSample.appID],
                formats: [AppleAppAttestFormat(roots: [sample.root])]
            )
            let ours = Contender("AttestationVerifier.verify") {
                _ = try verifier.verify(
                    sample.object,
                    keyID: sample.keyID,
                    challenge: AppleSample.challenge
                )
            }
            let bare = Contender("the two signatures alone") { try sample.checkSignatures() }
            return try [ours, bare]
                + peer([
                    "ask": "attestation", "object": base64(sample.object),
                    "challenge": base64(AppleSample.challenge), "keyID": base64(sample.keyID),
                    "appID": AppleSample.appID, "root": sample.root.pem,
                ])
        },
    ]

    private static func base64(_ octets: [UInt8]) -> String { Data(octets).base64EncodedString() }

    /// pyattest, if it is there.
    private static func peer(_ question: [String: any Sendable]) throws -> [Contender] {
        guard PythonPeer.isPresent else { return [] }
        return [try PythonPeer("app_attest").contender(question, name: "pyattest")]
    }

    /// A signature by another key of the same kind over as many octets, in C.
    private static func floor() throws -> Contender {
        let key = try PrivateKey.generate(.p256)
        let message = [UInt8](repeating: 7, count: 32)
        let signature = try key.sign(message, using: .ecdsaP256SHA256, encoding: .der)
        let pem = key.publicKey.pem
        return Contender(name: "EVP_PKEY_verify in C") { operations in
            let time = unsafe ecdsa_verify_floor_run(
                pem,
                pem.utf8.count,
                message,
                message.count,
                signature,
                signature.count,
                UInt64(operations)
            )
            guard time > 0 else { throw BenchmarkError("the signature is wrong in C") }
            return .nanoseconds(Int64(time))
        }
    }

    /// The same by this package.
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

import AttestationAuthority
import Cryptography
import EmbeddedAttestation
import Glibc
import HTTPMessages
import HTTPTransport
import JSONWebTokens
import Locking
import Protection

/// What a policy makes of requests to four hosts: with a network, without one, and after a rejection.
///
/// The program ends with 0 only when each answer, and each line of the log, was as it should be.
@main
struct Main {
    let service = ProtectionService.shared
    let authority: AttestationAuthority
    let network: Network
    let backend: Backend
    let session: ProtectedSession
    let logged = Log()

    /// What was logged.
    final class Log: Sendable {
        let lines = Mutex<[String]>([])
    }

    static func main() async throws {
        let sample = try await Main()
        let failures = try await [sample.online(), sample.offline(), sample.rejected()].reduce(0, +)
        print(failures == 0 ? "\nall as it should be" : "\n\(failures) answers were not as they should be")
        exit(failures == 0 ? 0 : 1)
    }

    init() async throws {
        let signingKey = try PrivateKey.generate(.p256)
        let publicKey = try JSONWebKey(signingKey.publicKey, keyID: "1")
        authority = try AttestationAuthority(
            issuer: "https://authority.example",
            signingKey: JSONWebKey(signingKey, keyID: "1"),
            store: InMemoryAuthorityStore()
        )
        let hosts = [try HostPattern("*.localhost")]
        try await authority.addAccount(Account(id: "sample", protectedHosts: hosts))
        backend = try Backend(tokenKeys: JSONWebKeySet([publicKey]))

        // Two hosts are pinned to the right key, two to one that the server does not have.
        let pin = try PublicKeyPin(sha256: backend.root.subjectPublicKeyInfoSHA256)
        let strange = try PublicKeyPin(sha256: PrivateKey.generate(.p256).publicKey.spkiSHA256())
        var pins = PinningPolicy(others: PinSet([strange]))
        for host in ["api.localhost", "status.localhost"] { pins[try HostPattern(host)] = PinSet([pin]) }
        let configuration = try ProtectionConfiguration(
            authority: RequestTarget("https://authority.example"),
            account: "sample",
            protectedHosts: hosts,
            pins: pins,
            authorityKey: publicKey
        )
        network = Network(base: try EmbeddedTokenFetcher(authority: authority, account: "sample"))
        service.setLoggingLevel(.off)
        try service.initialize(config: configuration.encoded(), fetcher: network)
        let log = RejectionLog(service: service) { [logged] line in logged.lines.withLock { $0.append(line) }
        }
        service.setServiceMutator(HostPolicy(log: log).signed(with: network.base))
        let roots = CurlSession.TrustRoots.pem(Array(backend.root.pem.utf8))
        let transport = try CurlSession(configuration: .init(trustRoots: roots))
        session = ProtectedSession(transport: InterceptedSession(transport, interceptors: [log]))
    }

    private func online() async throws -> Int {
        print("with a network")
        return try await [
            answer("api.localhost", "200 token and signature, linux, 1.0"),
            answer("status.localhost", "200 token and signature, linux, 1.0"),
            // Not protected, and not pinned: a key is pinned that the server does not have.
            answer("metrics.localhost", "200 no token"),
            // Not protected either, but pinned.
            answer("other.localhost", "pinningFailed, nothing was sent"),
        ].reduce(0, +)
    }

    private func offline() async throws -> Int {
        print("\nwithout a network to the authority")
        setOffline(true)
        defer { setOffline(false) }
        return try await [
            answer("api.localhost", "networking, nothing was sent"),
            answer("status.localhost", "200 no token, linux, 1.0"),
            answer("metrics.localhost", "200 no token"),
        ].reduce(0, +)
    }

    private func rejected() async throws -> Int {
        print("\nrejections")
        var failures = try await answer("api.localhost", path: "/closed", "403 ")
        failures += try await logs("by the backend with 403", "its token was good") { $0.isEmpty }
        guard let device = service.deviceID else { return failures + 1 }
        try await authority.setRevocation(true, installation: device)
        // The token that is kept would still be good for minutes.
        service.discardTokens()
        failures += try await answer("api.localhost", "rejection, nothing was sent")
        return try await failures + logs("by the authority", "the installation is revoked") { !$0.isEmpty }
    }

    /// What was fetched, or failed, before is forgotten, so that the next request shows the change.
    private func setOffline(_ isOffline: Bool) {
        network.setOffline(isOffline)
        service.discardTokens()
    }

    /// Sends a request and compares what came of it; 1 when it is something else.
    private func answer(_ host: String, path: String = "/", _ expected: String) async throws -> Int {
        let count = backend.count
        var outcome: String
        do {
            let response = try await session.data(from: backend.url(host, path))
            outcome = "\(response.status) \(response.text ?? "")"
        } catch let error as ProtectionError {
            outcome = "\(error.code)"
        } catch let error as TransportError {
            outcome = "\(error.code)"
        }
        if backend.count == count { outcome += ", nothing was sent" }
        print("  \(host)\(path == "/" ? "" : path): \(outcome)")
        return outcome == expected ? 0 : 1
    }

    /// Whether the last line of the log leads the authority to the attestation, and that to this device.
    private func logs(_ how: String, _ meaning: String, reasons: ([String]) -> Bool) async throws -> Int {
        let line = logged.lines.withLock { $0.last } ?? ""
        let prefix = "api.localhost: rejected \(how), ARC "
        guard line.hasPrefix(prefix) else { return 1 }
        print("  log: \(line)")
        let arc = String(line.dropFirst(prefix.count).prefix { $0 != "," })
        guard let attestation = try await authority.attestation(arc: arc),
            reasons(attestation.rejectionReasons), attestation.installation == service.deviceID,
            line.hasSuffix("device \(attestation.installation)")
        else { return 1 }
        print("  the authority says of that ARC: \(meaning)")
        return 0
    }
}

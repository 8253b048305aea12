import AppAttestationClient
import FoundationEssentials
import ProtectionTesting
import TestSupport
import Testing
import Timing

/// One installation in a folder of its own, before an authority.
struct Fixture {
    static let hash = [UInt8](repeating: 7, count: 32)

    let folder: TemporaryFolder
    let authority: TestAuthority
    let time = ManualTime()

    init() throws {
        folder = try TemporaryFolder()
        authority = try TestAuthority()
    }

    var file: AttestationKeyFile { AttestationKeyFile(path: folder["attestation.json"]) }

    /// What a process has: a service that knows nothing of the ones before.
    func service(
        provider: (any AttestationProvider)? = nil,
        backend: (any AttestationBackend)? = nil,
        store: (any AttestationKeyStore)? = nil,
        configuration: AttestationConfiguration = AttestationConfiguration(),
        time: TimeSource = .instant
    ) -> AttestationService {
        AttestationService(
            provider: provider ?? TestProvider(folder),
            backend: backend ?? TestBackend(authority),
            store: store ?? file,
            configuration: configuration,
            time: time,
            random: { 0.5 }
        )
    }

    /// The counter of an assertion that the authority takes.
    func accept(_ assertion: KeyAssertion) async throws -> UInt32 {
        try await authority.verify(assertion.object, clientDataHash: Self.hash, keyID: assertion.keyID)
    }
}

extension TimeSource {
    /// Short waits, as between two tries, pass at once; deadlines never come.
    static let instant = TimeSource(
        date: { Date(timeIntervalSince1970: 1_767_225_600) },
        uptime: { .zero },
        sleep: { duration in
            guard duration >= .seconds(20) else { return await Task.yield() }
            try await Task.sleep(for: .seconds(3600))
        }
    )
}

/// The code of what a closure throws, or nil.
func code(_ body: () async throws -> Void) async -> AttestationClientError.Code? {
    do {
        try await body()
        return nil
    } catch { return (error as? AttestationClientError)?.code }
}

import AppAttestationClient
import Encodings
import Glibc
import HTTPTransport

/// A process that has its key attested and makes assertions, for the tests: it can be one of several, and it can be ended
/// at a step, as by the kernel.
///
/// Arguments: the backend's address, the folder of keys and record, the step at which it ends itself (or `-`), and how many
/// assertions it makes. It writes the key's identifier and the assertions, in Base 64, one a line.
@main struct EntryPoint {
    static func main() async {
        do { try await run(Array(CommandLine.arguments.dropFirst())) } catch {
            write("error: \(error)")
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        let (address, folder, step) = (arguments[0], arguments[1], Step(rawValue: arguments[2]))
        let service = AttestationService(
            provider: EndingProvider(
                base: SoftwareAttestationProvider(directory: folder, appID: "org.example.app"),
                step: step
            ),
            backend: EndingBackend(
                base: try HTTPAttestationBackend(baseURL: address, session: try CurlSession()),
                step: step
            ),
            store: EndingStore(base: AttestationKeyFile(path: folder + "/attestation.json"), step: step)
        )
        service.start()
        write(try await service.attestedKeyID())
        let hash = [UInt8](repeating: 7, count: 32)
        for count in 0..<(Int(arguments[3]) ?? 0) {
            if count == 20, step == .racing { endFromAside() }
            write(Base64.standard.encode(try await service.assertion(for: hash).object))
        }
    }

    /// Ends the process while it goes on: nobody knows in the middle of what.
    private static func endFromAside() {
        Task.detached { Step.racing.end() }
    }

    private static func write(_ line: String) {
        let octets = Array((line + "\n").utf8)
        _ = unsafe octets.withUnsafeBytes { unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}

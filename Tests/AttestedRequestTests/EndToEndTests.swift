import AppAttestation
import AppAttestationClient
import AttestationAuthority
import HTTPMessages
import HTTPServing
import HTTPTransport
import Locking
import RequestVerification
import TestSupport
import Testing
import Timing

/// The client of this library against endpoints and verifier of this library, by HTTP.
@Suite("Client and backend over a network", .timeLimit(.minutes(2))) struct EndToEndTests {
    /// A backend whose keys can be lost, and that hears of each request that was proved.
    final class Backend: Sendable {
        final class Log: Sendable {
            let counters = Mutex<[UInt32]>([])
            let paths = Mutex<[String]>([])
        }

        let server: HTTPServer
        let log = Log()

        init(keys: [InMemoryAttestedKeyStore]) throws {
            let log = self.log
            let endpoints = try keys.map { store in
                AttestationEndpoints(
                    apple: nil,
                    installations: try Fixture.verifier(time: .system),
                    keys: store,
                    pathPrefix: "/v1"
                )
            }
            let verifiers = keys.map { AssertedRequestVerifier(keys: $0, formats: [.installationKey]) }
            let holder = Holder()
            server = try HTTPServer { served in
                log.paths.withLock { $0.append(served.target.path) }
                if served.target.path == "/lose" {
                    holder.advance()
                    return HTTPResponse(status: .ok)
                }
                let now = holder.now
                if let response = await endpoints[now].respond(to: served.request) { return response }
                do throws(VerificationError) {
                    let proof = try await verifiers[now].verify(served.request)
                    log.counters.withLock { $0.append(proof.counter) }
                    return HTTPResponse(status: .ok)
                } catch { return error.problem }
            }
        }
    }

    final class Holder: Sendable {
        private let number = Mutex(0)
        var now: Int { number.withLock { $0 } }
        func advance() { number.withLock { $0 += 1 } }
    }

    private func client(
        _ folder: TemporaryFolder,
        _ url: String
    ) throws -> (AttestationService, InterceptedSession) {
        let base = try CurlSession()
        let service = AttestationService(
            provider: SoftwareAttestationProvider(directory: folder.path, appID: Fixture.appID),
            backend: try HTTPAttestationBackend(baseURL: url + "/v1", session: base),
            store: AttestationKeyFile(path: folder["attestation.json"])
        )
        service.start()
        let session = InterceptedSession(
            base,
            interceptors: [
                AttestationGateInterceptor(service: service),
                AssertionInterceptor(service: service, hosts: [try HostPattern("127.0.0.1")]),
            ]
        )
        return (service, session)
    }

    @Test func theFirstRunAttestsAndTheSecondDoesNot() async throws {
        let folder = try TemporaryFolder()
        let backend = try Backend(keys: [InMemoryAttestedKeyStore()])
        for run in 0..<2 {
            let (_, session) = try client(folder, backend.server.url)
            for number in 0..<3 {
                let request = try HTTPRequest(
                    method: .post,
                    url: backend.server.url + "/orders?n=\(number)",
                    body: HTTPBody([0, 0xFF, 0x7C])
                )
                #expect(try await session.data(for: request).status == .ok, "run \(run)")
            }
        }
        #expect(backend.log.counters.withLock { $0 } == [1, 2, 3, 4, 5, 6])
        let paths = backend.log.paths.withLock { $0 }
        #expect(paths.count { $0.hasPrefix("/v1/") } == 2 && paths.count == 8)
    }

    @Test func aClientWithoutAKeyIsRefused() async throws {
        let backend = try Backend(keys: [InMemoryAttestedKeyStore()])
        let response = try await CurlSession().data(from: backend.server.url + "/orders")
        #expect(try Answer(response) == Answer(401, "missingField"))
    }

    @Test func aKeyThatTheBackendLostIsReplaced() async throws {
        let folder = try TemporaryFolder()
        let backend = try Backend(keys: [InMemoryAttestedKeyStore(), InMemoryAttestedKeyStore()])
        let (service, session) = try client(folder, backend.server.url)
        #expect(try await session.data(from: backend.server.url + "/").status == .ok)
        let first = try await service.attestedKeyID()
        _ = try await CurlSession().data(from: backend.server.url + "/lose")
        #expect(try await session.data(from: backend.server.url + "/").status == .ok)
        #expect(try await service.attestedKeyID() != first)
        #expect(backend.log.counters.withLock { $0 } == [1, 1])
    }

    /// Two processes overtake each other; a request is repeated twice, and what is lost then is refused and not taken twice.
    @Test func twoServicesShareAKey() async throws {
        let folder = try TemporaryFolder()
        let backend = try Backend(keys: [InMemoryAttestedKeyStore()])
        let url = backend.server.url
        let sessions = try (0..<2).map { _ in try client(folder, url).1 }
        _ = try await sessions[0].data(from: url + "/first")
        let statuses = try await withThrowingTaskGroup(of: [Int].self) { group in
            for session in sessions {
                group.addTask {
                    var statuses: [Int] = []
                    for _ in 0..<20 { statuses.append(try await session.data(from: url + "/").status.code) }
                    return statuses
                }
            }
            return try await group.reduce(into: [Int]()) { $0 += $1 }
        }
        #expect(statuses.count == 40 && Set(statuses).isSubset(of: [200, 401, 409]))
        let counters = backend.log.counters.withLock { $0 }
        #expect(counters.count == statuses.count { $0 == 200 } + 1)
        #expect(Set(counters).count == counters.count)
    }
}

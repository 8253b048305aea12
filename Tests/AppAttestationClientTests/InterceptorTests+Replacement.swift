import AppAttestationClient
import HTTPMessages
import Locking
import ProtectionTesting
import Testing

extension InterceptorTests {
    /// A day after a key was replaced, only a request that the backend takes gives the replacement back.
    @Test(arguments: [(200, true), (204, true), (302, false), (401, false), (404, false), (503, false)])
    func aRequestThatIsTakenSettlesTheKey(status: Int, isSettled: Bool) async throws {
        let fixture = try Fixture()
        let service = fixture.service(time: fixture.time.source)
        service.start()
        _ = try await service.attestedKeyID()
        service.keyWasRefused(generation: 0)
        let answers = Mutex([HTTPStatus.ok, try HTTPStatus(status)])
        let session = InterceptedSession(
            RecordingSession { _ in HTTPResponse(status: answers.withLock { $0.removeFirst() }) },
            interceptors: [AssertionInterceptor(service: service, hosts: [try HostPattern("api.example")])]
        )
        _ = try await session.data(from: "https://api.example/")
        #expect(try fixture.file.load().wasReplaced)
        fixture.time.advance(by: .seconds(86_400))
        _ = try await session.data(from: "https://api.example/")
        #expect(try fixture.file.load().wasReplaced == !isSettled)
    }
}

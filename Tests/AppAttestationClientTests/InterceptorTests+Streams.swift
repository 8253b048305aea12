import AppAttestationClient
import HTTPMessages
import Locking
import ProtectionTesting
import Testing

/// Refusals whose content comes piece by piece.
extension InterceptorTests {
    @Test(arguments: [true, false]) func aRefusalThatComesAsAStreamIsRead(hasLength: Bool) async throws {
        let fixture = try Fixture()
        let service = fixture.service()
        service.start()
        let old = try await service.attestedKeyID()
        let (session, base) = try signing(fixture, service: service) { request in
            guard request.fields["X-Key-ID"] == old else { return HTTPResponse(status: .ok) }
            var response = TestAuthority.problem(.unauthorized, "unknownKey")
            if hasLength { try response.fields.set("\(response.body.count)", for: .contentLength) }
            response.stream = HTTPByteStream(Pieces([response.body]))
            response.body = []
            return response
        }
        #expect(try await session.bytes(for: HTTPRequest(url: "https://api.example/")).response.status == .ok)
        #expect(base.requests.count == 2)
    }

    @Test(arguments: [true, false]) func aLongRefusalIsLeftToWhoReadsIt(hasLength: Bool) async throws {
        let fixture = try Fixture()
        let service = fixture.service()
        service.start()
        let pieces = (0..<5).map { [UInt8](repeating: $0, count: 20_000) }
        let (session, base) = try signing(fixture, service: service) { _ in
            var response = HTTPResponse(status: .unauthorized)
            if hasLength { try response.fields.set("100000", for: .contentLength) }
            response.stream = HTTPByteStream(Pieces(pieces))
            return response
        }
        let answer = try await session.bytes(for: HTTPRequest(url: "https://api.example/"))
        #expect(answer.response.status == .unauthorized && base.requests.count == 1)
        var read: [UInt8] = []
        for try await piece in answer.content { read += piece }
        #expect(read == pieces.flatMap { $0 })
    }

    private final class Pieces: HTTPByteStream.Source {
        let trailers = HTTPFields()
        private let pieces: Mutex<[[UInt8]]>

        init(_ pieces: [[UInt8]]) { self.pieces = Mutex(pieces) }

        func next() async throws -> [UInt8]? {
            pieces.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
    }
}

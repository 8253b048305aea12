import Glibc
import HTTPMessages
import HTTPTransport
import TestSupport
import Testing

/// Requests whose connection, which was kept, is closed before the response.
@Suite("Repeats", .timeLimit(.minutes(1))) struct RepeatTests {
    /// A server with two connections that it keeps after an answer, and that closes the one over which the next request comes.
    private static func serve(_ descriptor: Int32, answersNew: Bool) -> Bool {
        let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
        var buffer = [UInt8](repeating: 0, count: 4096)
        let kept = (0..<2).map { _ in accept(descriptor, nil, nil) }
        for connection in kept {
            _ = unsafe read(connection, &buffer, buffer.count)
            _ = unsafe write(connection, answer, answer.count)
        }
        func next(of descriptors: [Int32]) -> Int32? {
            var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard unsafe poll(&entries, nfds_t(entries.count), 30_000) > 0 else { return nil }
            return entries.first { $0.revents != 0 }?.fd
        }
        guard let broken = next(of: kept) else { return false }
        _ = unsafe read(broken, &buffer, buffer.count)
        close(broken)
        let other = kept[0] == broken ? kept[1] : kept[0]
        // The other one that was kept is closed by the client, or stays: a request over it would be one too many.
        let isUsed =
            if next(of: [other, descriptor]) == other {
                unsafe read(other, &buffer, buffer.count) > 0
            } else {
                false
            }
        close(other)
        guard !isUsed else { return false }
        let new = accept(descriptor, nil, nil)
        _ = unsafe read(new, &buffer, buffer.count)
        if answersNew { _ = unsafe write(new, answer, answer.count) }
        close(new)
        return true
    }

    @Test(arguments: [true, false]) func aRequestIsSentAgainOverANewConnection(isAnswered: Bool) async throws
    {
        let (descriptor, port) = RawServer.listen(backlog: 8)
        defer { close(descriptor) }
        let server = Task { try await blocking { Self.serve(descriptor, answersNew: isAnswered) } }
        let session = try CurlSession()
        let url = "http://127.0.0.1:\(port)/"
        async let first = session.data(from: url)
        async let second = session.data(from: url)
        #expect(try await [first.text, second.text] == ["ok", "ok"])
        if isAnswered {
            #expect(try await session.data(from: url).metrics?.isConnectionReused == false)
        } else {
            let error = await #expect(throws: TransportError.self) { try await session.data(from: url) }
            #expect(error?.code == .connectionClosed)
        }
        #expect(try await server.value)
    }
}

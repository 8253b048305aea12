import Glibc
import HTTPMessages
import HTTPTransport
import TestSupport
import Testing

@Suite(
    "Content from nginx",
    .enabled(if: NginxDaemon.isPresent, Comment(rawValue: NginxDaemon.absence)),
    .timeLimit(.minutes(2))
)
struct ContentTests {
    private static let gzip = "gzip on; gzip_min_length 1; gzip_types *; gzip_comp_level 1;"

    private func url(_ server: Nginx, _ isSecure: Bool, _ path: String) -> String {
        (isSecure ? server.url : server.plainURL) + path
    }

    @Test(arguments: [true, false]) func codedContentIsDecodedWhenAskedFor(isSecure: Bool) async throws {
        let server = try await Nginx(settings: Self.gzip)
        let content = Array(String(repeating: "shapes ", count: 20_000).utf8)
        try server.write("text", content)
        let url = url(server, isSecure, "/text")
        let plain = try await makeSession().data(from: url)
        #expect(plain.body == content && !plain.fields.contains("Content-Encoding"))
        let decoding = try makeSession { $0.decodesContent = true }
        let decoded = try await decoding.data(from: url)
        #expect(decoded.body == content && decoded.fields["Content-Encoding"] == "gzip")
        #expect(decoded.metrics.map { $0.receivedBytes < content.count } == true)
        let (_, stream) = try await decoding.bytes(for: HTTPRequest(url: url))
        #expect(try await stream.collect(upTo: content.count) == content)
        // A request that names the coding itself reads it itself.
        var request = try HTTPRequest(url: url)
        try request.fields.set("gzip", for: "Accept-Encoding")
        for session in try [decoding, makeSession()] {
            let coded = try await session.data(for: request)
            #expect(coded.fields["Content-Encoding"] == "gzip" && coded.body.starts(with: [0x1F, 0x8B]))
            #expect(coded.body.count < content.count)
        }
        try request.fields.set("identity", for: "Accept-Encoding")
        let identity = try await decoding.data(for: request)
        #expect(identity.body == content && !identity.fields.contains("Content-Encoding"))
    }

    @Test(arguments: [true, false], [true, false])
    func aBombStopsAtTheLimit(isSecure: Bool, isStreamed: Bool) async throws {
        let server = try await Nginx(settings: "gzip_static always;")
        let folder = try TemporaryFolder()
        // 100 MiB of zeros in about 100 kB.
        let made = try await Command.run(
            "sh",
            ["-c", "head -c 104857600 /dev/zero | gzip -9 > \(folder.path)/bomb.gz"]
        )
        #expect(made.status == 0)
        let bomb = try folder.bytes("bomb.gz")
        #expect(bomb.count < 1 << 20)
        try server.write("bomb.gz", bomb)
        let session = try makeSession {
            $0.decodesContent = true
            $0.maximumResponseSize = 1 << 20
            $0.maximumStreamSize = 1 << 20
        }
        let url = url(server, isSecure, "/bomb")
        if isStreamed {
            let (head, stream) = try await session.bytes(for: HTTPRequest(url: url))
            #expect(head.fields["Content-Encoding"] == "gzip")
            var count = 0
            let error = await #expect(throws: TransportError.self) {
                for try await piece in stream { count += piece.count }
            }
            #expect(error?.code == .responseTooLarge && count <= 1 << 20)
        } else {
            let error = try await refusal(of: url, by: session)
            #expect(error.code == .responseTooLarge && error.phase == .receiving)
        }
        // Not decoded, it is small.
        #expect(try await makeSession().data(from: url).body == bomb)
    }

    /// "hello" in each coding.
    @Test(
        arguments: [
            (
                "gzip",
                [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 7, 0, 134, 166, 16, 54, 5, 0, 0, 0]
            ),
            ("deflate", [120, 156, 203, 72, 205, 201, 201, 7, 0, 6, 44, 2, 21]),
            ("br", [0x0B, 0x02, 0x80, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x03]),
            ("zstd", [0x28, 0xB5, 0x2F, 0xFD, 0x20, 5, 0x29, 0, 0, 0x68, 0x65, 0x6C, 0x6C, 0x6F]),
        ] as [(String, [UInt8])]
    )
    func codedContentIsDecoded(coding: String, octets: [UInt8]) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(octets.count)\r\n\r\n"
        let server = RawServer(head + String(String.UnicodeScalarView(octets.map { Unicode.Scalar($0) })))
        let session = try makeSession { $0.decodesContent = true }
        #expect(try await session.data(from: server.url + "/").text == "hello")
        let accepted = try #require(server.received.first).split(separator: "\r\n")
            .first { $0.hasPrefix("Accept-Encoding: ") }
        #expect(accepted?.contains(coding) == true)
    }

    @Test(arguments: ["gzip", "deflate", "br", "zstd", "unheard-of"])
    func codedContentThatIsBrokenIsRefused(coding: String) async throws {
        let text = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: 9\r\n\r\nnot coded"
        let server = RawServer(text)
        let session = try makeSession { $0.decodesContent = true }
        let error = try await refusal(of: server.url + "/", by: session)
        #expect(error.code == .malformedResponse && !error.isRetryable, "\(error)")
        #expect(try await makeSession().data(from: server.url + "/").text == "not coded")
    }

    /// Only the end of the connection ends the content, and TLS tells a true end from a cut.
    @Test(arguments: [true, false], [Relay.End.close, .reset])
    func contentThatIsCutUnderTLSIsAnError(decodes: Bool, end: Relay.End) async throws {
        let server = try await Nginx(settings: Self.gzip + " chunked_transfer_encoding off;")
        var generator = SeededGenerator(seed: 1)
        let content = (0..<1 << 20).map { _ in UInt8.random(in: 0 ... .max, using: &generator) }
        try server.write("random", content)
        let session = try makeSession {
            $0.decodesContent = decodes
            $0.allowsHTTP2 = false
        }
        var request = try HTTPRequest(url: server.url + "/random")
        if !decodes { try request.fields.set("gzip", for: "Accept-Encoding") }
        let whole = try await session.data(for: request)
        #expect(!whole.fields.contains("Content-Length") && !whole.fields.contains("Transfer-Encoding"))
        #expect(decodes ? whole.body == content : whole.body.count > content.count)
        for limit in [5_000, 100_000, content.count] {
            let relay = Relay(to: server.port, cutAfter: limit, by: end)
            var request = try HTTPRequest(url: "https://127.0.0.1:\(relay.port)/random")
            if !decodes { try request.fields.set("gzip", for: "Accept-Encoding") }
            let cut = request
            let error = await #expect(throws: TransportError.self, "\(limit)") {
                try await session.data(for: cut)
            }
            #expect(
                error?.code == (end == .close ? .connectionClosed : .connectionFailed),
                "\(limit): \(String(describing: error))"
            )
        }
    }

    @Test(arguments: [true, false]) func aSlowAnswerHasItsLimits(isSecure: Bool) async throws {
        let server = try await Nginx(settings: "location = /slow { limit_rate 2k; }")
        try server.write("slow", pattern(1 << 20))
        let url = url(server, isSecure, "/slow")
        // Something comes all the time, so only the whole limit ends it.
        let session = try makeSession {
            $0.timeout = .milliseconds(1500)
            $0.idleTimeout = .seconds(10)
        }
        let error = try await refusal(of: url, by: session)
        #expect(error.code == .timedOut && error.phase == .receiving, "\(error)")
        let idle = try makeSession { $0.idleTimeout = .milliseconds(300) }
        let silence = try await refusal(of: url, by: idle)
        #expect(silence.code == .timedOut && silence.phase == .receiving, "\(silence)")
    }

    @Test func aFirstByteIsNotWaitedForForEver() async throws {
        let server = RawServer("", end: .keep)
        let session = try makeSession { $0.firstByteTimeout = .seconds(1) }
        let error = try await refusal(of: server.url + "/", by: session)
        #expect(error.code == .timedOut && error.phase == .waiting, "\(error)")
        let started = RawServer("HTTP/1.1 200 OK\r\nX: a\r\n", end: .keep)
        let within = try await refusal(of: started.url + "/", by: session)
        #expect(within.code == .timedOut && within.phase == .receiving, "\(within)")
    }

    @Test func aConnectionThatClosesBehindItsAnswerLosesNoRequest() async throws {
        // It promises to stay and does not: each request races with the end of the connection.
        let server = RawServer()
        let session = try makeSession()
        for _ in 0..<100 { #expect(try await session.data(from: server.url + "/").text == "ok") }
        #expect(server.received.count == 100)
        let secure = try await Nginx(settings: "keepalive_requests 3;")
        for allowsHTTP2 in [true, false] {
            let session = try makeSession { $0.allowsHTTP2 = allowsHTTP2 }
            for _ in 0..<100 {
                #expect(try await session.data(from: secure.url + "/hello").status == .ok)
            }
        }
        #expect(try await secure.entries(200).count == 200)
    }

    @Test(arguments: [true, false]) func aConnectionHasALifetime(allowsHTTP2: Bool) async throws {
        let server = try await Nginx()
        let clock = ContinuousClock()
        let short = try makeSession {
            $0.maximumConnectionLifetime = .seconds(1)
            $0.allowsHTTP2 = allowsHTTP2
        }
        let end = clock.now + .seconds(10)
        repeat {
            #expect(try await short.data(from: server.url + "/hello").status == .ok)
        } while try await server.connections(ofRequests: 0) < 2 && clock.now < end
        #expect(try await server.connections(ofRequests: 0) == 2)
    }
}

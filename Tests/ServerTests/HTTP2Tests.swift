import Cryptography
import HTTPMessages
import HTTPTransport
import TestSupport
import Testing

@Suite(
    "HTTP/2 with nginx",
    .enabled(if: NginxDaemon.isPresent, Comment(rawValue: NginxDaemon.absence)),
    .timeLimit(.minutes(1))
)
struct HTTP2Tests {
    private let authority: CertificateAuthority

    init() throws { authority = try .shared }

    private func pin(_ name: String) throws -> PinningPolicy {
        let hash = try authority.certificate(name).subjectPublicKeyInfoSHA256
        return PinningPolicy([try HostPattern("127.0.0.1"): PinSet([try PublicKeyPin(sha256: hash)])])
    }

    @Test(arguments: [true, false]) func theProtocolIsTheBestThatIsAllowed(allowsHTTP2: Bool) async throws {
        let server = try await Nginx()
        let session = try makeSession { $0.allowsHTTP2 = allowsHTTP2 }
        for path in ["/hello", "/none"] {
            let response = try await session.data(from: server.url + path)
            #expect(response.status == (path == "/hello" ? .ok : .notFound))
            #expect(response.metrics?.protocolName == (allowsHTTP2 ? "HTTP/2" : "HTTP/1.1"))
            #expect(response.metrics?.isConnectionReused == (path == "/none"))
        }
        let plain = try await session.data(from: server.plainURL + "/hello")
        #expect(plain.metrics?.protocolName == "HTTP/1.1")
        let versions = try await server.entries(3).map(\.version)
        let expected = allowsHTTP2 ? "HTTP/2.0" : "HTTP/1.1"
        #expect(versions == [expected, expected, "HTTP/1.1"])
    }

    @Test(arguments: [false, true])
    func twoHundredRequestsShareFewConnections(onTheThreadOfTheSession: Bool) async throws {
        let server = try await Nginx()
        let session = try makeSession()
        try await withTaskExecutorPreference(onTheThreadOfTheSession ? session.executor : nil) {
            try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
                for number in 0..<200 {
                    group.addTask { try await session.data(from: "\(server.url)/hello?\(number)") }
                }
                for try await response in group {
                    #expect(response.status == .ok && response.text == "hello ")
                }
            }
        }
        #expect(try await server.entries(200).count == 200)
        #expect(try await server.connections(ofRequests: 200) <= 2)
    }

    @Test func requestsWaitForTheConnectionOnlyWhileThereIsOneToHope() async throws {
        let session = try makeSession { $0.maximumConnectionsPerHost = 8 }
        let port = Loopback.freePort()
        try await withThrowingTaskGroup(of: TransportError.Code.self) { group in
            for _ in 0..<300 {
                group.addTask { try await refusal(of: "https://127.0.0.1:\(port)/", by: session).code }
            }
            for try await code in group { #expect(code == .connectFailed) }
        }
    }

    @Test func theRestGoesOnWhenTheFirstIsGivenUp() async throws {
        let server = try await Nginx()
        let session = try makeSession()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<300 {
                group.addTask {
                    let task = Task { try await session.data(from: "\(server.url)/hello?\(number)") }
                    if number % 3 == 0 { task.cancel() }
                    switch await task.result {
                    case .success(let response): #expect(response.status == .ok)
                    case .failure(let error): #expect(error is CancellationError && number % 3 == 0)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await server.connections(ofRequests: 1) <= 3)
    }

    @Test func aServerThatSaysGoodbyeLosesNoRequest() async throws {
        // Each time that a request is refused, fifty others were answered: within the five attempts that libcurl makes.
        let server = try await Nginx(settings: "keepalive_requests 50;")
        let session = try makeSession()
        try await withThrowingTaskGroup(of: HTTPStatus.self) { group in
            for number in 0..<200 {
                group.addTask { try await session.data(from: "\(server.url)/hello?\(number)").status }
            }
            for try await status in group { #expect(status == .ok) }
        }
        #expect(try await server.connections(ofRequests: 200) >= 4)
        // None was sent twice either.
        #expect(try await server.entries(200).count == 200)
    }

    @Test func contentGoesUpAndComesDown() async throws {
        let server = try await Nginx()
        let session = try makeSession()
        let content = pattern(8 << 20)
        let (pieces, producer) = AsyncStream.makeStream(of: [UInt8].self)
        for start in stride(from: 0, to: content.count, by: 100_000) {
            producer.yield(Array(content[start..<min(start + 100_000, content.count)]))
        }
        producer.finish()
        let request = try HTTPRequest(method: .put, url: server.url + "/put/stream")
        let created = try await session.upload(for: request, from: HTTPBodyStream(pieces))
        #expect(created.status == .created && created.metrics?.protocolName == "HTTP/2")
        #expect(try server.read("put/stream") == content)
        let (head, stream) = try await session.bytes(for: HTTPRequest(url: server.url + "/put/stream"))
        #expect(head.metrics?.protocolName == "HTTP/2")
        #expect(try await stream.collect(upTo: content.count) == content)
        let whole = try HTTPRequest(method: .put, url: server.url + "/put/whole", body: HTTPBody(content))
        #expect(try await session.data(for: whole).status == .created)
        #expect(try server.read("put/whole") == content)
        #expect(try await server.connections(ofRequests: 3) == 1)
    }

    @Test func manyUploadsSurviveGoodbyes() async throws {
        let server = try await Nginx(settings: "keepalive_requests 5;")
        let session = try makeSession()
        let content = pattern(200_000)
        try await withThrowingTaskGroup(of: HTTPStatus.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let url = "\(server.url)/put/\(number)"
                    return try await session.data(
                        for: HTTPRequest(method: .put, url: url, body: HTTPBody(content))
                    ).status
                }
            }
            for try await status in group { #expect(status == .created) }
        }
        for number in 0..<40 { #expect(try server.read("put/\(number)") == content) }
    }

    @Test func aSlowReaderSlowsTheServerDownAndNobodyElse() async throws {
        let server = try await Nginx()
        let total = 48 << 20
        try server.write("large", [UInt8](repeating: 0x61, count: total))
        let session = try makeSession()
        let request = try HTTPRequest(url: server.url + "/large")
        let (_, stream) = try await session.bytes(for: request)
        var iterator = stream.makeAsyncIterator()
        var count = try await iterator.next()?.count ?? 0
        for _ in 0..<20 {
            #expect(try await session.data(from: server.url + "/hello").status == .ok)
        }
        while let piece = try await iterator.next() {
            #expect(piece.count <= 576 << 10)
            count += piece.count
        }
        #expect(count == total)
    }

    /// libcurl reads on for a reader who does not, when others receive something, up to the window of the stream.
    @Test func whatOthersReceiveDoesNotFillTheMemory() async throws {
        let server = try await Nginx()
        let total = 160 << 20
        try server.write("large", [UInt8](repeating: 0x61, count: total))
        try server.write("other", [UInt8](repeating: 0x62, count: 1 << 20))
        let session = try makeSession()
        let request = try HTTPRequest(url: server.url + "/large")
        let (_, stream) = try await session.bytes(for: request)
        let before = Memory.resident()
        for _ in 0..<300 {
            #expect(try await session.data(from: server.url + "/other").body.count == 1 << 20)
        }
        #expect(Memory.isSanitized || Memory.resident() - before < 64 << 20)
        #expect(try await stream.collect(upTo: total)?.count == total)
    }

    @Test func aStreamThatIsGivenUpLeavesTheOthers() async throws {
        let server = try await Nginx()
        let content = pattern(2 << 20)
        try server.write("large", content)
        let session = try makeSession()
        #expect(try await session.data(from: server.url + "/hello").status == .ok)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<30 {
                group.addTask {
                    let task = Task { try await session.data(from: server.url + "/large") }
                    guard number.isMultiple(of: 3) else {
                        let body = try await task.value.body
                        #expect(body == content)
                        return
                    }
                    for _ in 0..<(number * 20) { await Task.yield() }
                    task.cancel()
                    switch await task.result {
                    case .success(let response): #expect(response.body == content)
                    case .failure(let error): #expect(error is CancellationError)
                    }
                }
                group.addTask {
                    // The head alone is taken, then the rest is given up.
                    let (head, _) = try await session.bytes(for: HTTPRequest(url: server.url + "/large"))
                    #expect(head.status == .ok)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await session.data(from: server.url + "/hello").status == .ok)
        #expect(try await server.connections(ofRequests: 1) <= 2)
    }

    @Test func newPinsNeverUseAnOldConnection() async throws {
        let server = try await Nginx()
        let right = try (pin("good"), pin("root"))
        let wrong = try pin("other")
        let session = try makeSession { $0.pins = right.0 }
        #expect(try await session.data(from: server.url + "/hello?0").metrics?.protocolName == "HTTP/2")
        for number in 1...3 {
            session.setPins(wrong)
            let error = try await refusal(of: "\(server.url)/wrong", by: session)
            #expect(error.code == .pinningFailed)
            session.setPins(number.isMultiple(of: 2) ? right.0 : right.1)
            #expect(try await session.data(from: "\(server.url)/hello?\(number)").status == .ok)
        }
        let entries = try await server.entries(4)
        #expect(entries.map(\.path) == ["/hello", "/hello", "/hello", "/hello"])
        // Each of the two policies has its own connection and keeps it.
        #expect(entries[0].connection != entries[1].connection)
        #expect(entries[0].connection == entries[2].connection)
        #expect(entries[1].connection == entries[3].connection)
    }

    @Test func rotationUnderLoadLetsNothingThrough() async throws {
        let server = try await Nginx()
        let session = try makeSession()
        let right = try pin("good")
        let wrong = try pin("other")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let isRight = number.isMultiple(of: 2)
                    var request = try HTTPRequest(url: server.url + (isRight ? "/hello" : "/wrong"))
                    request.options.pins = isRight ? right : wrong
                    do {
                        let response = try await session.data(for: request)
                        #expect(isRight && response.status == .ok)
                    } catch let error as TransportError {
                        #expect(!isRight && error.code == .pinningFailed)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await server.entries(50).allSatisfy { $0.path == "/hello" })
    }

    @Test func limitsHoldAndTheConnectionGoesOn() async throws {
        let long = String(repeating: "x", count: 3000)
        let many = (0..<30).map { "add_header X-\($0) a;" }.joined(separator: " ")
        let server = try await Nginx(
            settings: """
                location = /long { add_header X-Long "\(long)"; return 200 "ok"; }
                location = /many { \(many) return 200 "ok"; }
                """
        )
        try server.write("large", pattern(200_000))
        let session = try makeSession {
            $0.maximumHeadSize = 2000
            $0.maximumFieldCount = 20
            $0.maximumResponseSize = 100_000
        }
        for path in ["/long", "/many", "/large"] {
            let error = try await refusal(of: server.url + path, by: session)
            #expect(error.code == .responseTooLarge && error.phase == .receiving, "\(path): \(error)")
            let response = try await session.data(from: server.url + "/hello")
            #expect(response.status == .ok && response.metrics?.protocolName == "HTTP/2")
        }
        let (_, stream) = try await session.bytes(for: HTTPRequest(url: server.url + "/large"))
        #expect(try await stream.collect(upTo: 250_000) == pattern(200_000))
    }

    @Test func aServerThatDiesFailsItsStreams() async throws {
        var server: Nginx? = try await Nginx(settings: "location = /slow { limit_rate 1k; }")
        try server?.write("slow", pattern(1 << 20))
        let session = try makeSession()
        let url = try #require(server).url
        let (_, stream) = try await session.bytes(for: HTTPRequest(url: url + "/slow"))
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next()?.isEmpty == false)
        server = nil
        let error = await #expect(throws: TransportError.self) {
            while try await iterator.next() != nil {}
        }
        #expect(error.map { [.connectionClosed, .connectionFailed].contains($0.code) } == true, "\(error!)")
        let late = try await refusal(of: url + "/hello", by: session)
        #expect(late.code == .connectFailed && late.isRetryable)
    }
}

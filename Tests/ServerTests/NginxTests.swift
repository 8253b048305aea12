import Cryptography
import HTTPInterceptors
import HTTPMessages
import HTTPTransport
import TestSupport
import Testing

@Suite(
    "Against nginx",
    .enabled(if: NginxDaemon.isPresent, Comment(rawValue: NginxDaemon.absence)),
    .timeLimit(.minutes(1))
)
struct NginxTests {
    private let authority: CertificateAuthority

    init() throws { authority = try .shared }

    private func pins(_ hash: [UInt8]) throws -> PinningPolicy {
        PinningPolicy([try HostPattern("127.0.0.1"): PinSet([try PublicKeyPin(sha256: hash)])])
    }

    @Test(arguments: [true, false]) func theProtocolIsTheBestThatIsAllowed(allowsHTTP2: Bool) async throws {
        let server = try await Nginx()
        let session = try makeSession { $0.allowsHTTP2 = allowsHTTP2 }
        let response = try await session.data(from: server.url + "/hello")
        #expect(response.status == .ok && response.text == "hello ")
        #expect(response.metrics?.protocolName == (allowsHTTP2 ? "HTTP/2" : "HTTP/1.1"))
        #expect(response.metrics.map { $0.secured > .zero } == true)
        let missing = try await session.data(from: server.url + "/none")
        #expect(missing.status == .notFound && missing.metrics?.isConnectionReused == true)
    }

    @Test func manyRequestsShareAConnection() async throws {
        let server = try await Nginx()
        let session = try makeSession()
        try await withThrowingTaskGroup(of: HTTPStatus.self) { group in
            // No more than libcurl puts on one connection: for those above that it opens further ones, up to the limit.
            for _ in 0..<100 {
                group.addTask { try await session.data(from: server.url + "/hello").status }
            }
            for try await status in group { #expect(status == .ok) }
        }
        let connections = try await server.connections(ofRequests: 100)
        #expect(connections <= 2, "\(connections) connections")
    }

    /// The pins of each hop are those of its own host.
    @Test func redirectsAreFollowedToPinnedHostsOnly() async throws {
        let server = try await Nginx(
            settings: """
                location = /away { return 307 https://localhost:$server_port/hello; }
                location = /near { return 302 /hello; }
                """
        )
        let authority = try CertificateAuthority.shared
        let right = PinSet([
            try PublicKeyPin(sha256: authority.certificate("good").subjectPublicKeyInfoSHA256)
        ])
        let wrong = PinSet([
            try PublicKeyPin(sha256: authority.certificate("other").subjectPublicKeyInfoSHA256)
        ])
        let here = try HostPattern("127.0.0.1")
        let there = try HostPattern("localhost")
        let post = try HTTPRequest(method: .post, url: server.url + "/away", body: HTTPBody("content"))
        for (pins, isReached) in [(right, true), (wrong, false)] {
            let session = try makeSession { $0.pins = PinningPolicy([here: right, there: pins]) }
            let following = InterceptedSession(session, interceptors: [RedirectInterceptor()])
            #expect(try await following.data(from: server.url + "/near").text == "hello ")
            if isReached {
                // It is sent on with its content, which the page does not take.
                #expect(try await following.data(for: post).target?.host == "localhost")
            } else {
                let error = await #expect(throws: TransportError.self) { try await following.data(for: post) }
                #expect(error?.code == .pinningFailed && error?.host == "localhost")
            }
        }
        let posts = try await server.entries(7).filter { $0.method == "POST" }.map(\.path)
        #expect(posts == ["/away", "/hello", "/away"])
    }

    /// One connection in all is enough for two servers, one after the other.
    @Test func allConnectionsHaveALimitInCommon() async throws {
        let server = try await Nginx()
        let session = try makeSession { configuration in
            configuration.maximumConnections = 1
            configuration.allowsHTTP2 = false
        }
        try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
            for number in 0..<40 {
                let url = number.isMultiple(of: 2) ? server.url : server.plainURL
                group.addTask { try await session.data(from: url + "/hello") }
            }
            for try await response in group { #expect(response.status == .ok) }
        }
        _ = try await session.data(from: server.url + "/hello")
        // Each change of the server closes the one connection and opens another.
        for url in [server.plainURL, server.url, server.plainURL] {
            #expect(try await session.data(from: url + "/hello").metrics?.isConnectionReused == false)
        }
    }

    @Test func aServerThatEndsItsConnectionsLosesNoRequest() async throws {
        let server = try await Nginx(settings: "keepalive_requests 7;")
        let session = try makeSession()
        try await withThrowingTaskGroup(of: HTTPStatus.self) { group in
            for _ in 0..<100 {
                group.addTask { try await session.data(from: server.url + "/hello").status }
            }
            for try await status in group { #expect(status == .ok) }
        }
        #expect(try await server.connections(ofRequests: 100) >= 10)
    }

    @Test func contentStreamsOverHTTP2() async throws {
        let server = try await Nginx()
        let content = (0..<(6 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 5) }
        try server.write("large", content)
        let session = try makeSession()
        let (response, stream) = try await session.bytes(for: HTTPRequest(url: server.url + "/large"))
        #expect(response.metrics?.protocolName == "HTTP/2")
        // The stream that is not read does not keep another one from its content.
        #expect(try await session.data(from: server.url + "/hello").status == .ok)
        #expect(try await stream.collect(upTo: content.count) == content)
        // One that is given up does not disturb the connection.
        _ = try await session.bytes(for: HTTPRequest(url: server.url + "/large"))
        #expect(try await session.data(from: server.url + "/large").body == content)
    }

    @Test func pinsHoldForStreamsOfOneConnection() async throws {
        let server = try await Nginx()
        let session = try makeSession()
        let right = try pins(authority.certificate("good").subjectPublicKeyInfoSHA256)
        let wrong = try pins([UInt8](repeating: 1, count: 32))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    var request = try HTTPRequest(url: server.url + "/hello")
                    request.options.pins = number.isMultiple(of: 2) ? right : wrong
                    guard number.isMultiple(of: 2) else {
                        let error = await #expect(throws: TransportError.self) {
                            try await session.data(for: request)
                        }
                        #expect(error?.code == .pinningFailed)
                        return
                    }
                    #expect(try await session.data(for: request).metrics?.protocolName == "HTTP/2")
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func aClientShowsWhoItIs() async throws {
        let settings = "ssl_verify_client optional; ssl_client_certificate \(authority.folder["root.pem"]);"
        let server = try await Nginx(tls: settings)
        let anonymous = try makeSession()
        #expect(try await anonymous.data(from: server.url + "/hello").text == "hello ")
        let first = try makeSession { $0.clientIdentity = try authority.identity("good") }
        #expect(try await first.data(from: server.url + "/hello").text == "hello CN=good")
        let second = try makeSession { $0.clientIdentity = try authority.identity("named") }
        #expect(try await second.data(from: server.url + "/hello").text == "hello CN=named")
        // A certificate of another authority is one that the server does not take.
        let other = try makeSession { $0.clientIdentity = try authority.identity("other") }
        #expect(try await other.data(from: server.url + "/hello").status == .badRequest)
        let error = try #require(throws: CryptographyError.self) {
            try ClientIdentity(
                chain: [authority.certificate("good")],
                key: authority.key("named")
            )
        }
        #expect(error.code == .invalidKey)
        #expect(throws: CryptographyError.self) {
            try ClientIdentity(chain: [], key: authority.key("named"))
        }
        #expect(try !"\(authority.identity("good"))".contains("PRIVATE"))
    }

    @Test func anOldVersionOfTLSIsNotSpoken() async throws {
        let server = try await Nginx(tls: "ssl_protocols TLSv1.2;")
        #expect(try await makeSession().data(from: server.url + "/hello").status == .ok)
        let strict = try makeSession { $0.minimumTLSVersion = .tls13 }
        let error = await #expect(throws: TransportError.self) {
            try await strict.data(from: server.url + "/hello")
        }
        #expect(error?.code == .tlsFailed)
    }

    @Test func aRevokedCertificateIsNotTrusted() async throws {
        let lists = try authority.bytes("root.crl")
        for (name, isGood) in [("good", true), ("revoked", false), ("chained", false)] {
            let server = try await Nginx(name)
            #expect(try await makeSession().data(from: server.url + "/hello").status == .ok)
            let checking = try makeSession { $0.revocationLists = lists }
            if isGood {
                #expect(try await checking.data(from: server.url + "/hello").status == .ok)
                continue
            }
            // For "chained" there is no list of the intermediate.
            let error = await #expect(throws: TransportError.self) {
                try await checking.data(from: server.url + "/hello")
            }
            #expect(error?.code == .certificateNotTrusted, "\(name)")
            if name == "revoked" { #expect(error?.message.hasSuffix(": it was revoked") == true) }
        }
        let error = try #require(throws: TransportError.self) {
            try makeSession { $0.revocationLists = Array("no".utf8) }
        }
        #expect(error.code == .invalidConfiguration)
    }

    @Test func aMissingStatusIsRefusedWhereItIsRequired() async throws {
        let server = try await Nginx()
        let strict = try makeSession { $0.requiresStapledStatus = true }
        let error = await #expect(throws: TransportError.self) {
            try await strict.data(from: server.url + "/hello")
        }
        #expect(error?.code == .certificateNotTrusted)
    }

    @Test func codedContentIsDecodedOnRequestUpToALimit() async throws {
        let server = try await Nginx(settings: "gzip on; gzip_min_length 1; gzip_types text/plain;")
        try server.write("text", Array(String(repeating: "shapes ", count: 100).utf8))
        try server.write("bomb", [UInt8](repeating: 0, count: 8 << 20))
        let plain = try makeSession()
        let raw = try await plain.data(from: server.url + "/text")
        #expect(raw.body.count == 700 && !raw.fields.contains("Content-Encoding"))
        let decoding = try makeSession {
            $0.decodesContent = true
            $0.maximumResponseSize = 1 << 20
        }
        let decoded = try await decoding.data(from: server.url + "/text")
        #expect(decoded.fields["Content-Encoding"] == "gzip" && decoded.body.count == 700)
        let error = await #expect(throws: TransportError.self) {
            try await decoding.data(from: server.url + "/bomb")
        }
        #expect(error?.code == .responseTooLarge)
        var own = try HTTPRequest(url: server.url + "/text")
        try own.fields.set("gzip", for: "Accept-Encoding")
        let coded = try await decoding.data(for: own)
        #expect(coded.body.starts(with: [0x1F, 0x8B]) && coded.body.count < 700)
    }
}

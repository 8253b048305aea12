import Cryptography
import Encodings
import HTTPMessages
import HTTPServing
import HTTPTransport
import Locking
import TestSupport
import Testing

/// Which connections that were kept are used again.
@Suite("Kept connections", .timeLimit(.minutes(1))) struct KeptConnectionTests {
    private let authority: CertificateAuthority

    init() throws { authority = try .shared }

    private func policy(_ hashes: [UInt8]...) throws -> PinningPolicy {
        PinningPolicy([try HostPattern("127.0.0.1"): PinSet(try hashes.map { try PublicKeyPin(sha256: $0) })])
    }

    private func session(_ pins: PinningPolicy) throws -> CurlSession {
        var configuration = CurlSession.Configuration(trustRoots: .pem(try authority.bytes("root.pem")))
        configuration.pins = pins
        return try CurlSession(configuration: configuration)
    }

    /// A hash whose text in Base 64 is that of another but for the case of one letter.
    private func withOtherCase(_ hash: [UInt8], at index: Int) throws -> [UInt8] {
        var text = Array(Base64.standard.encode(hash).utf8)
        text[index] ^= 0x20
        return try Base64.standard.decode(String(decoding: text, as: UTF8.self))
    }

    /// libcurl 7.88 compares its own pins without the case of letters, and so takes a connection for the wrong ones.
    @Test func pinsThatDifferInTheCaseOfALetterShareNoConnection() async throws {
        let requests = Counter()
        let server = try authority.server("good", counting: requests)
        defer { server.stop() }
        let good = try authority.certificate("good").subjectPublicKeyInfoSHA256
        let text = Array(Base64.standard.encode(good).utf8)
        // The last letter has two bits that must be zero.
        let letters = text.indices.dropLast(2).filter {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(text[$0] | 0x20)
        }
        let session = try session(policy(good))
        for index in letters.prefix(5) {
            let other = try withOtherCase(good, at: index)
            #expect(other != good)
            session.setPins(try policy(good))
            #expect(try await session.data(from: server.url).status == .ok)
            #expect(try await session.data(from: server.url).metrics?.isConnectionReused == true)
            let count = requests.value.withLock(\.self)
            session.setPins(try policy(other))
            let error = await #expect(throws: TransportError.self) {
                try await session.data(from: server.url)
            }
            #expect(error?.code == .pinningFailed)
            session.setPins(try policy(good, other))
            #expect(try await session.data(from: server.url).metrics?.isConnectionReused == false)
            #expect(requests.value.withLock(\.self) == count + 1)
        }
        #expect(!letters.isEmpty)
    }

    @Test(arguments: [0, 7, 127, 128, 255])
    func pinsThatDifferInOneBitShareNoConnection(bit: Int) async throws {
        let server = try authority.server("good")
        defer { server.stop() }
        let good = try authority.certificate("good").subjectPublicKeyInfoSHA256
        let backup = [UInt8](repeating: 0x5A, count: 32)
        var changed = backup
        changed[bit / 8] ^= 1 << UInt8(bit % 8)
        let session = try session(policy(good, backup))
        // Both sets take the server: what is asked is whether the connection was made anew.
        let sets = try [policy(good, backup), policy(good, changed), policy(good)]
        for set in sets {
            session.setPins(set)
            #expect(try await session.data(from: server.url).metrics?.isConnectionReused == false)
            #expect(try await session.data(from: server.url).metrics?.isConnectionReused == true)
        }
        session.setPins(try policy(changed))
        let error = await #expect(throws: TransportError.self) { try await session.data(from: server.url) }
        #expect(error?.code == .pinningFailed)
    }

    /// The age is looked at when the session has something to send, here to another server.
    @Test func aConnectionThatIsIdleTooLongIsNotUsedAgain() async throws {
        let clock = ContinuousClock()
        let idle = RawServer(end: .keep)
        let busy = try HTTPServer { _ in HTTPResponse(status: .ok) }
        defer { busy.stop() }
        let session = try CurlSession(configuration: .init(maximumIdleAge: .seconds(1)))
        let patient = try CurlSession(configuration: .init(maximumIdleAge: .seconds(60)))
        let kept = try HTTPServer { _ in HTTPResponse(status: .ok) }
        defer { kept.stop() }

        #expect(try await patient.data(from: kept.url).status == .ok)
        #expect(try await session.data(from: busy.url).status == .ok)
        let start = clock.now
        #expect(try await session.data(from: idle.url).text == "ok")
        let asking = Task { () async throws -> Void in
            while !Task.isCancelled {
                // This one is never idle for a second, and stays.
                #expect(try await session.data(from: busy.url).metrics?.isConnectionReused == true)
            }
        }
        try await idle.waitForDisconnection()
        #expect(clock.now - start >= .seconds(1))
        asking.cancel()
        _ = await asking.result
        #expect(idle.connections == 1)
        let response = try await session.data(from: idle.url)
        #expect(response.text == "ok" && response.metrics?.isConnectionReused == false)
        #expect(idle.connections == 2)
        #expect(try await patient.data(from: kept.url).metrics?.isConnectionReused == true)
    }
}

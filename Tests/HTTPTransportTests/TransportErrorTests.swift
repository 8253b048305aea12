import Glibc
import HTTPMessages
import TestSupport
import Testing

@testable import HTTPTransport

@Suite("Transport errors", .timeLimit(.minutes(1))) struct TransportErrorTests {
    @Test func aHostWithoutAddressIsNotResolved() async throws {
        let session = try CurlSession()
        let error = try await #require(throws: TransportError.self) {
            try await session.data(from: "http://no-such-host.invalid/a?secret")
        }
        #expect(error.code == .resolveFailed && error.phase == .resolving && error.curlCode == 6)
        #expect(error.host == "no-such-host.invalid" && !"\(error)".contains("secret"))
    }

    @Test func aPortWithoutServerIsNotConnected() async throws {
        let (descriptor, port) = RawServer.listen(backlog: 1)
        close(descriptor)
        let session = try CurlSession()
        let error = try await #require(throws: TransportError.self) {
            try await session.data(from: "http://127.0.0.1:\(port)/")
        }
        #expect(error.code == .connectFailed && error.errorNumber == ECONNREFUSED && error.isRetryable)
        #expect("\(error)".hasPrefix("connectFailed: the host takes no connection, host 127.0.0.1, while "))
    }

    static let meanings: [(UInt32, TransportError.Code)] = [
        (1, .malformedResponse), (6, .resolveFailed),
        (7, .connectFailed), (8, .malformedResponse),
        (18, .connectionClosed), (27, .internalError),
        (28, .timedOut), (35, .tlsFailed),
        (52, .connectionClosed), (55, .connectionFailed),
        (56, .connectionFailed), (60, .certificateNotTrusted),
        (63, .responseTooLarge), (42, .tlsFailed), (91, .certificateNotTrusted),
        (43, .internalError), (47, .internalError),
    ]

    @Test(arguments: meanings) func aCodeOfLibcurlHasAMeaning(code: UInt32, meaning: TransportError.Code) {
        #expect(TransferFault.meaning(of: code).0 == meaning)
    }

    @Test(arguments: [
        (Duration.milliseconds(1), 1), (.nanoseconds(1), 1), (.zero, 0), (.seconds(2), 2000),
        (.milliseconds(1500), 1500), (.seconds(Int64.max), Int(Int32.max)),
    ])
    func durationsAreRoundedUp(duration: Duration, milliseconds: Int) {
        #expect(duration.milliseconds == milliseconds)
    }
}

import AppAttestation
import Cryptography
import HTTPMessages
import JSONWebTokens
import Locking
import Testing

@Suite("Receipts in exchange") struct RefreshTests {
    /// A server with one answer.
    private final class Server: HTTPSession {
        private let answer: HTTPResponse
        private let log = Mutex<[HTTPRequest]>([])

        init(_ answer: HTTPResponse) { self.answer = answer }

        var requests: [HTTPRequest] { log.withLock { $0 } }

        func data(for request: HTTPRequest) async throws -> HTTPResponse {
            log.withLock { $0.append(request) }
            return answer
        }
    }

    @Test(
        arguments: [
            (200, "AQID", .receipt([1, 2, 3])), (200, "AQ\r\nID\n", .receipt([1, 2, 3])),
            (304, "", .tooEarly), (404, "no data", .noData),
        ] as [(Int, String, ReceiptRefresher.Answer)]
    )
    func anAnswerIsRead(status: Int, body: String, expected: ReceiptRefresher.Answer) async throws {
        let session = Server(HTTPResponse(status: try HTTPStatus(status), body: Array(body.utf8)))
        let refresher = try ReceiptRefresher(
            teamID: "TEAM123456",
            key: JSONWebKey(PrivateKey.generate(.p256), keyID: "KEY1234567")
        )
        #expect(try await refresher.refresh([9], environment: .development, through: session) == expected)
        let sent = try #require(session.requests.first)
        #expect(sent.target.host == "data-development.appattest.apple.com")
        #expect(sent.body?.bytes == Array("CQ==".utf8) && session.requests.count == 1)
    }

    @Test(
        arguments: [
            (200, "AQI", .malformedReceipt), (200, "<html>", .malformedReceipt),
            (204, "", .receiptNotExchanged), (401, "", .receiptNotExchanged),
            (429, "", .receiptNotExchanged), (500, "AQID", .receiptNotExchanged),
        ] as [(Int, String, AttestationError.Code)]
    )
    func anyOtherAnswerIsAnError(status: Int, body: String, expected: AttestationError.Code) async throws {
        let session = Server(HTTPResponse(status: try HTTPStatus(status), body: Array(body.utf8)))
        let refresher = try ReceiptRefresher(
            teamID: "TEAM123456",
            key: JSONWebKey(PrivateKey.generate(.p256), keyID: "KEY1234567")
        )
        let error = await #expect(throws: AttestationError.self) {
            try await refresher.refresh([9], environment: .production, through: session)
        }
        #expect(error?.code == expected)
    }
}

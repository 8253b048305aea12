import Foundation
import FoundationNetworking
import HTTPMessages
import Protection
import ProtectionFoundation
import ProtectionTesting
import Testing

@Suite("Foundation session") struct FoundationSessionTests {
    private func session(_ transport: RecordingSession) -> FoundationSession {
        FoundationSession(ProtectedSession(service: ProtectionService(), transport: transport))
    }

    @Test func aRequestIsCarriedOver() async throws {
        let transport = RecordingSession { request in
            var fields = HTTPFields()
            try fields.append("a=1", for: "X-Twice")
            try fields.append("b=2", for: "X-Twice")
            return HTTPResponse(status: .created, fields: fields, body: request.body?.bytes ?? [])
        }
        var request = URLRequest(url: try #require(URL(string: "https://example.com/a%20b?q=1")))
        request.httpMethod = "PATCH"
        request.setValue("value", forHTTPHeaderField: "X-Name")
        request.timeoutInterval = 7
        let (data, response) = try await session(transport).upload(for: request, from: Data([1, 2, 3]))
        let sent = try #require(transport.requests.first)
        #expect(sent.method == .patch && sent.target.absoluteString == "https://example.com/a%20b?q=1")
        #expect(sent.fields["x-name"] == "value" && sent.options.idleTimeout == .seconds(7))
        #expect(sent.options.timeout == nil)
        #expect(data == Data([1, 2, 3]) && response.statusCode == 201)
        #expect(response.value(forHTTPHeaderField: "x-twice") == "a=1, b=2")
        #expect(response.url == request.url)
    }

    @Test func aPlainGetHasNoBody() async throws {
        let transport = RecordingSession()
        _ = try await session(transport).data(from: try #require(URL(string: "https://example.com/")))
        #expect(transport.requests.first?.method == .get && transport.requests.first?.body == nil)
    }

    @Test(arguments: [Double.infinity, .nan, 0, -1]) func aSenselessLimitIsLeftToTheSession(
        seconds: Double
    ) throws {
        var request = URLRequest(url: try #require(URL(string: "https://example.com/")))
        request.timeoutInterval = seconds
        #expect(try HTTPRequest(request).options == HTTPRequestOptions())
    }

    @Test func whatCannotBeCarriedOverIsRefused() async throws {
        let url = try #require(URL(string: "https://example.com/"))
        var streamed = URLRequest(url: url)
        streamed.httpBodyStream = InputStream(data: Data([1]))
        var nowhere = URLRequest(url: url)
        nowhere.url = nil
        for (request, code) in [
            (streamed, FoundationConversionError.Code.streamedBody), (nowhere, .missingURL),
        ] {
            let error = try await #require(throws: FoundationConversionError.self) {
                try await session(RecordingSession()).data(for: request)
            }
            #expect(error.code == code)
        }
        let mail = URLRequest(url: try #require(URL(string: "ftp://example.com/")))
        let error = try await #require(throws: HTTPMessageError.self) {
            try await session(RecordingSession()).data(for: mail)
        }
        #expect(error.code == .unsupportedScheme)
    }
}

import Foundation
import FoundationNetworking
import HTTPMessages
import ProtectionFoundation
import Testing

@Suite("Requests for Foundation") struct RequestConversionTests {
    @Test(arguments: [
        "https://api.example.com/v1/shapes?a=b%20c&d", "https://api.example.com/a%2Fb/",
        "https://api.example.com:8443/?x=%E4", "http://[::1]:80/",
    ])
    func aRequestComesBackAsItWas(url: String) throws {
        var request = try HTTPRequest(method: .put, url: url, body: HTTPBody([0, 1, 0xFF]))
        try request.fields.set("AWS4-HMAC-SHA256 Credential=a", for: .authorization)
        try request.fields.set("text/plain", for: .contentType)
        request.options.idleTimeout = .milliseconds(1500)
        let foundation = try URLRequest(request)
        #expect(foundation.url?.absoluteString == url && foundation.timeoutInterval == 1.5)
        #expect(foundation.httpBody == Data([0, 1, 0xFF]))
        let back = try HTTPRequest(foundation)
        #expect(back == request)
    }

    private func code(_ request: HTTPRequest) -> FoundationConversionError.Code? {
        do throws(FoundationConversionError) {
            _ = try URLRequest(request)
            return nil
        } catch { return error.code }
    }

    @Test func whatFoundationWouldChangeIsRefused() throws {
        var twice = try HTTPRequest(url: "https://a.example/")
        try twice.fields.append("1", for: "X-A")
        try twice.fields.append("2", for: "x-a")
        #expect(code(twice) == .invalidRequest)
        var octets = try HTTPRequest(url: "https://a.example/")
        octets.fields.append(try HTTPField("X-A", bytes: [0xE4]))
        #expect(code(octets) == .invalidRequest)
        let file = try HTTPRequest(method: .put, url: "https://a.example/", body: HTTPBody(file: "/a"))
        #expect(code(file) == .streamedBody)
        let empty = #expect(throws: FoundationConversionError.self) {
            var request = URLRequest(url: try #require(URL(string: "https://a.example/")))
            request.url = nil
            _ = try HTTPRequest(request)
        }
        #expect(empty?.code == .missingURL)
    }
}

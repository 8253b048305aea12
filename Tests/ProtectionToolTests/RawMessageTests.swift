import HTTPMessages
import MessageSignatures
import Testing

@testable import ProtectionCommands

@Suite("Raw messages") struct RawMessageTests {
    private func parse(_ text: String) throws -> RawMessage {
        var parser = RawMessageParser(Array(text.utf8))
        return try parser.parse()
    }

    @Test(arguments: ["\r\n", "\n"]) func aRequestIsRead(end: String) throws {
        let lines = [
            "PUT /a?b HTTP/1.1", "Host: example.com", "X-A:  one ", "\ttwo", "Content-Length: 3", "", "a\nb",
        ]
        let message = try parse(lines.joined(separator: end))
        guard case .request(let method, let target) = message.start else {
            Issue.record("it is not a request")
            return
        }
        #expect(method.rawValue == "PUT" && target == "/a?b")
        #expect(message.fields.map(\.name) == ["host", "x-a", "content-length"])
        #expect(message.fields[1].value == Array("  one \r\n\ttwo".utf8))
        #expect(message.fields[1].canonicalValue(.http1) == Array("one two".utf8))
        #expect(message.content == Array("a\nb".utf8))
        let added = message.adding([AddedField(name: "X-B", value: "3")])
        let expected = lines.prefix(5) + ["X-B: 3"] + lines.suffix(2)
        #expect(added == Array(expected.joined(separator: end).utf8))
    }

    @Test(arguments: [("200 OK", 200), ("204 ", 204), ("503 Not now  please", 503), ("999 \u{E9}", 999)])
    func aResponseIsRead(words: String, status: Int) throws {
        let message = try parse("HTTP/1.0 \(words)\n\nthe rest\n")
        guard case .response(let read) = message.start else {
            Issue.record("it is not a response")
            return
        }
        #expect(read.code == status && message.fields.isEmpty && message.content == Array("the rest\n".utf8))
    }

    @Test(arguments: [
        "", "GET / HTTP/1.1", "GET / HTTP/1.1\n", "GET / HTTP/1.1\nHost: a\n", "GET  / HTTP/1.1\n\n",
        "GET / HTTP/1.1 \n\n", "GET /a b HTTP/1.1\n\n", "GET / HTTP/2\n\n", "GET / http/1.1\n\n", "GET /\n\n",
        "GE(T / HTTP/1.1\n\n", " GET / HTTP/1.1\n\n", "\nGET / HTTP/1.1\n\n", "HTTP/1.1 200\n\n",
        "HTTP/1.1 20 OK\n\n", "HTTP/1.1 2000 OK\n\n", "HTTP/1.1 099 x\n\n", "HTTP/1.2 200 OK\n\n",
        "GET / HTTP/1.1\r\nA: b\n\r\n", "GET / HTTP/1.1\nA: b\r\n\n", "GET / HTTP/1.1\r\nA: b\rc\r\n\r\n",
        "GET / HTTP/1.1\nA: \0\n\n", "GET / HTTP/1.1\nA : b\n\n", "GET / HTTP/1.1\nA\n\n",
        "GET / HTTP/1.1\n: b\n\n", "GET / HTTP/1.1\n A: b\n\n", "GET / HTTP/1.1\nA\u{E9}: b\n\n",
        "GET / HTTP/1.1\nTransfer-Encoding: chunked\n\n0\n\n", "GET / HTTP/1.1\nContent-Length: 1\n\n",
        "GET / HTTP/1.1\nContent-Length: 1\n\nab", "GET / HTTP/1.1\nContent-Length: +1\n\na",
        "GET / HTTP/1.1\nContent-Length: 1\nContent-Length: 1\n\na",
        "GET / HTTP/1.1\nContent-Length: 1, 1\n\na",
        "GET / HTTP/1.1\nContent-Length: 99999999999999999999\n\na", "GET / HTTP/1.1\nContent-Length:\n\n",
    ])
    func whatTwoReadersCouldTakeInTwoWaysIsRefused(text: String) {
        let error = #expect(throws: ToolError.self) { try parse(text) }
        #expect(error?.code == .malformedMessage)
    }
}

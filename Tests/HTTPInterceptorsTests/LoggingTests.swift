import HTTPInterceptors
import HTTPMessages
import Testing

@Suite("Logging") struct LoggingTests {
    private let lines = Recorder<String>()
    private let time = FakeTime()

    private func log(
        _ request: HTTPRequest,
        over session: FakeSession,
        _ options: LoggingOptions = LoggingOptions()
    ) async -> [String] {
        let logging = LoggingInterceptor(options: options, time: time.source) { [lines] in lines.record($0) }
        _ = await Result { try await session.data(for: request, interceptors: [logging]) }
        return lines.values
    }

    private func request(path: String = "/s3cret/s3cret?key=s3cret") throws -> HTTPRequest {
        var request = try HTTPRequest(
            method: .post,
            url: "https://api.example.com" + path,
            body: HTTPBody("s3cret")
        )
        try request.fields.append("text/plain", for: .contentType)
        for name in LoggingTests.secretFields { try request.fields.append("s3cret", for: name) }
        return request
    }

    static let secretFields: [HTTPField.Name] = [
        "Authorization", "Cookie", "Set-Cookie", "Proxy-Authorization", "Signature", "Signature-Input",
        "Location",
        "Content-Location", "Referer", "Link", "Refresh", "Authentication-Info", "Proxy-Authentication-Info",
        "Protection-Token", "X-Api-Key", "WWW-Authenticate",
    ]

    @Test func aLineForTheRequestAndOneForTheResponse() async throws {
        let session = FakeSession { [time] _, _ in
            time.advance(by: .microseconds(31_900))
            let fields = HTTPFields([
                try HTTPField(.contentType, "text/html; charset=utf-8"),
                try HTTPField(.setCookie, "id=s3cret"),
                try HTTPField("Server", "x"),
            ])
            return HTTPResponse(status: .ok, fields: fields, body: Array("s3cret".utf8))
        }
        var request = try HTTPRequest(url: "https://api.example.com/s3cret?s3cret")
        try request.fields.append("Bearer s3cret", for: .authorization)
        #expect(
            await log(request, over: session) == [
                "event=request request=1 method=GET origin=https://api.example.com:443 hidden=authorization",
                #"event=response request=1 status=200 milliseconds=31 octets=6 "#
                    + #"content-type="text/html; charset=utf-8" server=x hidden=set-cookie"#,
            ]
        )
    }

    @Test func nothingSecretIsShown() async throws {
        let request = try request()
        let sessions = [
            FakeSession { request, _ in
                HTTPResponse(status: .unauthorized, fields: request.fields, body: Array("s3cret".utf8))
            },
            FakeSession { _, _ in throw FakeError(text: "s3cret") },
        ]
        for session in sessions {
            let text = await log(request, over: session).joined(separator: "\n")
            #expect(!text.isEmpty && !text.contains("s3cret"), Comment(rawValue: text))
        }
    }

    @Test func whatMustNotBeShownIsNotEvenWhenListed() async throws {
        var options = LoggingOptions()
        let listed = LoggingTests.secretFields.prefix { $0 != "Protection-Token" }
        options.shownFields.formUnion(listed)
        let session = FakeSession { request, _ in HTTPResponse(status: .ok, fields: request.fields) }
        let text = await log(try request(), over: session, options).joined(separator: "\n")
        #expect(text.contains("content-type=text/plain") && !text.contains("s3cret"), Comment(rawValue: text))
    }

    @Test func aListedFieldIsShown() async throws {
        var options = LoggingOptions()
        options.shownFields = ["x-request-id"]
        var request = try HTTPRequest(url: "https://api.example.com/")
        try request.fields.append("7", for: "X-Request-ID")
        try request.fields.append("text/plain", for: .contentType)
        let line = await log(request, over: FakeSession(200), options).first
        #expect(line?.hasSuffix(" x-request-id=7 hidden=content-type") == true)
    }

    @Test(
        arguments: [
            (LoggingOptions.Path.hidden, "/v1/users/7", nil), (.whole, "/v1/users/7", "/v1/users/7"),
            (.segments(0), "/v1/users/7", "/..."), (.segments(1), "/v1/users/7", "/v1/..."),
            (.segments(2), "/v1/users/7", "/v1/users/..."), (.segments(3), "/v1/users/7", "/v1/users/7"),
            (.segments(-1), "/v1", "/..."), (.custom { _ in nil }, "/v1", nil),
            (.custom { $0 == "/v1" ? "/{version}" : nil }, "/v1", "/{version}"),
        ] as [(LoggingOptions.Path, String, String?)]
    ) func aPathIsShownAsAskedFor(
        display: LoggingOptions.Path,
        path: String,
        shown: String?
    ) async throws {
        var options = LoggingOptions()
        options.path = display
        let line = await log(
            try HTTPRequest(url: "https://a.example\(path)?s3cret"),
            over: FakeSession(200),
            options
        ).first
        let pair = shown.map { " path=\($0)" } ?? ""
        #expect(line == "event=request request=1 method=GET origin=https://a.example:443" + pair)
    }

    @Test func anErrorIsShownByItsTypeOrAsTheClosureSays() async throws {
        let session = FakeSession { _, _ in throw FakeError(text: "s3cret") }
        let request = try HTTPRequest(url: "https://a.example/")
        #expect(
            await log(request, over: session).last == "event=failure request=1 milliseconds=0 error=FakeError"
        )
        var options = LoggingOptions()
        options.errorText = { "code \(($0 as? FakeError)?.isRetryable == true)\nevent=forged" }
        #expect(
            await log(request, over: session, options).last
                == #"event=failure request=1 milliseconds=0 error="code true\u{a}event=forged""#
        )
    }

    @Test(arguments: [
        ("a b", #""a b""#), (#"a"b\c"#, #""a\"b\\c""#), ("a=b", #""a=b""#), ("a\tb", #""a\u{9}b""#),
        ("a\u{85}b", #""a\u{85}b""#), ("a\u{2028}b", #""a\u{2028}b""#), ("a\u{202E}b", #""a\u{202e}b""#),
        ("a\u{9B}31mb", #""a\u{9b}31mb""#), ("ä", #""\u{e4}""#), ("", #""""#),
        (String(repeating: "a", count: 256), String(repeating: "a", count: 256)),
        (String(repeating: "a", count: 257), "\"" + String(repeating: "a", count: 256) + "...\""),
    ]) func aValueCannotStartALineOrAPair(value: String, shown: String) async throws {
        var request = try HTTPRequest(url: "https://a.example/")
        request.fields.append(try HTTPField("Server", value))
        let line = await log(request, over: FakeSession(200)).first
        #expect(line == "event=request request=1 method=GET origin=https://a.example:443 server=\(shown)")
    }

    @Test func requestsAreNumbered() async throws {
        let logging = LoggingInterceptor(time: time.source) { [lines] in lines.record($0) }
        let session = FakeSession(200)
        for _ in 0..<3 {
            _ = try await session.data(
                for: try HTTPRequest(url: "https://a.example/"),
                interceptors: [logging]
            )
        }
        #expect(
            lines.values.map { $0.split(separator: " ")[1] }
                == (1...3).flatMap { ["request=\($0)", "request=\($0)"] }
        )
    }
}

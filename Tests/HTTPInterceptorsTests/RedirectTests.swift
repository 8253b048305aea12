import HTTPInterceptors
import HTTPMessages
import Testing

@Suite("Redirects") struct RedirectTests {
    /// Redirects from one location to the next with one status, then answers 200.
    static func server(_ status: Int, to locations: String...) -> FakeSession {
        FakeSession { _, number in
            guard number < locations.count else { return HTTPResponse(status: .ok, body: Array("end".utf8)) }
            return HTTPResponse(
                status: try HTTPStatus(status),
                fields: HTTPFields([try HTTPField(.location, locations[number])])
            )
        }
    }

    private func error(_ body: () async throws -> HTTPResponse) async throws -> RedirectError {
        try #require(await Result(body).failure as? RedirectError)
    }

    @Test(arguments: 300...399) func theFiveRedirectsAreFollowedAndNoOther(status: Int) async throws {
        let session = Self.server(status, to: "/next")
        let response = try await session.data(
            for: try HTTPRequest(url: "https://a.example/"),
            interceptors: [RedirectInterceptor()]
        )
        let isFollowed = [301, 302, 303, 307, 308].contains(status)
        #expect(response.status.code == (isFollowed ? 200 : status))
        #expect(session.requests.count == (isFollowed ? 2 : 1))
        #expect(response.target?.absoluteString == (isFollowed ? "https://a.example/next" : nil))
    }

    @Test func aSessionWithinThatFollowedRedirectsKnowsBetter() async throws {
        let inner = try RequestTarget("https://a.example/inner")
        let session = FakeSession { _, number in
            guard number == 0 else { return HTTPResponse(status: .ok, target: inner) }
            return HTTPResponse(
                status: try HTTPStatus(302),
                fields: HTTPFields([try HTTPField(.location, "/next")])
            )
        }
        let response = try await session.data(
            for: try HTTPRequest(url: "https://a.example/"),
            interceptors: [RedirectInterceptor()]
        )
        #expect(response.target == inner)
    }

    @Test(arguments: [200, 201, 204, 400, 401, 404, 500, 503]) func aLocationInAnotherResponseIsNotFollowed(
        status: Int
    ) async throws {
        let session = Self.server(status, to: "/next")
        _ = try await session.data(
            for: try HTTPRequest(url: "https://a.example/"),
            interceptors: [RedirectInterceptor()]
        )
        #expect(session.requests.count == 1)
    }

    @Test(arguments: [
        (301, "GET", "GET"), (301, "HEAD", "HEAD"), (301, "POST", "GET"), (301, "PUT", "PUT"),
        (301, "PATCH", "PATCH"), (301, "DELETE", "DELETE"), (301, "OPTIONS", "OPTIONS"),
        (302, "GET", "GET"), (302, "HEAD", "HEAD"), (302, "POST", "GET"), (302, "PUT", "PUT"),
        (302, "PATCH", "PATCH"), (302, "DELETE", "DELETE"), (302, "OPTIONS", "OPTIONS"),
        (303, "GET", "GET"), (303, "HEAD", "HEAD"), (303, "POST", "GET"), (303, "PUT", "GET"),
        (303, "PATCH", "GET"), (303, "DELETE", "GET"), (303, "OPTIONS", "GET"),
        (307, "GET", "GET"), (307, "HEAD", "HEAD"), (307, "POST", "POST"), (307, "PUT", "PUT"),
        (307, "PATCH", "PATCH"), (307, "DELETE", "DELETE"), (307, "OPTIONS", "OPTIONS"),
        (308, "GET", "GET"), (308, "HEAD", "HEAD"), (308, "POST", "POST"), (308, "PUT", "PUT"),
        (308, "PATCH", "PATCH"), (308, "DELETE", "DELETE"), (308, "OPTIONS", "OPTIONS"),
    ]) func methodAndContent(status: Int, method: String, expected: String) async throws {
        let contentFields: [HTTPField.Name] = [
            "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location",
            "Content-Digest", "Repr-Digest", "Digest", "Last-Modified", "Content-MD5", "Content-Range",
            "Content-Disposition", "Transfer-Encoding", "Trailer", "Expect",
        ]
        var request = try HTTPRequest(
            method: HTTPMethod(method),
            url: "https://a.example/",
            body: HTTPBody("content")
        )
        for name in contentFields { try request.fields.append("x", for: name) }
        try request.fields.append("kept", for: "Accept")
        for isReplayable in [true, false] {
            request.body = HTTPBody([7], isReplayable: isReplayable)
            let session = Self.server(status, to: "/next")
            let result = await Result { [request] in
                try await session.data(for: request, interceptors: [RedirectInterceptor()])
            }
            let keepsContent = method == expected
            if keepsContent, !isReplayable {
                let error = try #require(result.failure as? RedirectError)
                #expect(error.code == .bodyNotReplayable && session.requests.count == 1)
                continue
            }
            #expect(try result.get().text == "end")
            let sent = try #require(session.requests.last)
            #expect(sent.method.rawValue == expected)
            #expect(sent.body == (keepsContent ? request.body : nil))
            for name in contentFields { #expect(sent.fields.contains(name) == keepsContent, "\(name)") }
            #expect(sent.fields["Accept"] == "kept")
        }
    }

    @Test(arguments: [(0, 0), (1, 1), (5, 5), (20, 20)]) func theLimitEndsALoop(
        limit: Int,
        followed: Int
    ) async throws {
        let session = FakeSession(302, fields: HTTPFields([try HTTPField(.location, "/loop")]))
        var policy = RedirectPolicy.follow
        policy.limit = limit
        let redirect = RedirectInterceptor(policy: policy)
        let error = try await error {
            try await session.data(
                for: try HTTPRequest(url: "https://a.example/loop?secret"),
                interceptors: [redirect]
            )
        }
        #expect(error.code == .tooManyRedirects && error.host == "a.example" && error.status.code == 302)
        #expect(session.requests.count == followed + 1)
        #expect(!"\(error)".contains("secret"))
    }

    @Test func asManyAsTheLimitAreFollowed() async throws {
        let session = Self.server(302, to: "/1", "/2", "/3", "/4", "/5")
        let response = try await session.data(
            for: try HTTPRequest(url: "https://a.example/"),
            interceptors: [RedirectInterceptor()]
        )
        #expect(
            response.text == "end"
                && session.requests.map(\.target.path) == ["/", "/1", "/2", "/3", "/4", "/5"]
        )
    }

    @Test func aMissingOrRepeatedLocationIsAnError() async throws {
        let request = try HTTPRequest(url: "https://a.example/")
        let missing = try await error {
            try await FakeSession(301).data(for: request, interceptors: [RedirectInterceptor()])
        }
        #expect(missing.code == .missingLocation)
        let field = try HTTPField(.location, "/next")
        let session = FakeSession(301, fields: HTTPFields([field, field]))
        let repeated = try await error {
            try await session.data(for: request, interceptors: [RedirectInterceptor()])
        }
        #expect(repeated.code == .repeatedLocation && session.requests.count == 1)
        #expect(
            "\(repeated)" == "repeatedLocation: there is more than one Location, status 301, host a.example"
        )
    }

    @Test(arguments: ["http://a.example/", "http://b.example/", "http://localhost/", "http://127.0.0.1/"])
    func httpsDoesNotLeadToHTTPUnlessAllowed(location: String) async throws {
        let request = try HTTPRequest(url: "https://a.example/")
        let session = Self.server(307, to: location)
        let error = try await error {
            try await session.data(for: request, interceptors: [RedirectInterceptor()])
        }
        #expect(error.code == .insecureRedirect && session.requests.count == 1)
        var policy = RedirectPolicy.follow
        policy.allowsInsecure = true
        let allowing = RedirectInterceptor(policy: policy)
        let other = Self.server(307, to: location)
        #expect(try await other.data(for: request, interceptors: [allowing]).text == "end")
    }

    @Test func httpsAfterAWhileDoesNotLeadBack() async throws {
        let session = Self.server(307, to: "https://a.example/", "http://a.example/")
        let error = try await error {
            try await session.data(
                for: try HTTPRequest(url: "http://a.example/"),
                interceptors: [RedirectInterceptor()]
            )
        }
        #expect(error.code == .insecureRedirect && session.requests.count == 2)
    }

    @Test func thePolicyDecides() async throws {
        let request = try HTTPRequest(url: "https://a.example/")
        let returned = try await Self.server(302, to: "not a location").data(
            for: request,
            interceptors: [RedirectInterceptor(policy: .never)]
        )
        #expect(returned.status.code == 302)

        let asked = Recorder<String>()
        let policy = RedirectPolicy { from, to in
            asked.record("\(from.target) to \(to.target)")
            return to.target.host == "a.example"
        }
        let session = Self.server(302, to: "/1", "https://b.example/2")
        let response = try await session.data(
            for: request,
            interceptors: [RedirectInterceptor(policy: policy)]
        )
        #expect(response.status.code == 302 && session.requests.count == 2)
        #expect(
            asked.values == [
                "https://a.example/ to https://a.example/1", "https://a.example/1 to https://b.example/2",
            ]
        )
    }

    @Test func anErrorOfAHopArrivesUnwrapped() async throws {
        let session = FakeSession { _, number in
            guard number == 0 else { throw FakeError(text: "second") }
            return HTTPResponse(
                status: try HTTPStatus(302),
                fields: HTTPFields([try HTTPField(.location, "/x")])
            )
        }
        await #expect(throws: FakeError(text: "second")) {
            try await session.data(
                for: try HTTPRequest(url: "https://a.example/"),
                interceptors: [RedirectInterceptor()]
            )
        }
    }
}

extension Result {
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

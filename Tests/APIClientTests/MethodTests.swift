import APIClient
import FoundationEssentials
import HTTPMessages
import HTTPServing
import HTTPTransport
import Testing

@Suite("API methods", .timeLimit(.minutes(2))) struct MethodTests {
    private func echo() throws -> Backend {
        try Backend { request in
            if request.method == .head { return try .json("", 200, [("X-Seen", "HEAD")]) }
            return try .json(#"{"id":7,"name":"\#(request.method)"}"#)
        }
    }

    @Test func everyMethodIsSentAndDecoded() async throws {
        let backend = try echo()
        let api: any APIService = try backend.api()
        let shape = Shape(id: 1, name: "circle")
        let got: Shape = try await api.get("/shapes")
        let posted: Shape = try await api.post("/shapes", parameters: shape)
        let put: Shape = try await api.put("/shapes/1", parameters: shape)
        let patched: Shape = try await api.patch("/shapes/1", parameters: ["name": "square"])
        let deleted: Shape = try await api.delete("/shapes/1")
        let head = try await api.head("/shapes")
        #expect(
            [got, posted, put, patched, deleted].map(\.name) == ["GET", "POST", "PUT", "PATCH", "DELETE"]
        )
        #expect(head.fields["X-Seen"] == "HEAD" && head.body.isEmpty)
        let requests = backend.requests
        #expect(requests.map(\.method) == [.get, .post, .put, .patch, .delete, .head])
        #expect(try JSONDecoder().decode(Shape.self, from: Data(requests[1].body)) == shape)
        #expect(String(decoding: requests[3].body, as: UTF8.self) == #"{"name":"square"}"#)
        #expect(requests[1].fields[.contentType] == "application/json")
        #expect(requests[0].fields[.contentType] == nil)
        #expect(requests[0].fields["Accept"] == "application/json, application/problem+json")
    }

    @Test func aURLIsAnEndpointToo() async throws {
        let backend = try echo()
        var configuration = backend.configuration()
        configuration.baseURL = nil
        let api: any APIService = try API(configuration)
        let url = try #require(URL(string: backend.url + "/path?x=1"))
        let values: [Shape] = [
            try await api.get(url), try await api.post(url, parameters: ["a": 1]),
            try await api.put(url, parameters: ["a": 1]), try await api.patch(url, parameters: ["a": 1]),
            try await api.delete(url),
        ]
        #expect(values.map(\.name) == ["GET", "POST", "PUT", "PATCH", "DELETE"])
        #expect(try await api.head(url).status == .ok)
        #expect(backend.requests.allSatisfy { $0.rawTarget == "/path?x=1" })
    }

    @Test func parametersOfGetAreTheQuery() async throws {
        struct Filter: Encodable {
            var text = "a b&c=d/é"
            var sizes = [1, 2]
            var exact = true
            var none: Int?
        }
        let backend = try echo()
        let api = try backend.api()
        let _: Shape = try await api.get("/shapes?page=2", parameters: Filter())
        #expect(
            backend.requests[0].rawTarget
                == "/shapes?page=2&exact=true&sizes=1&sizes=2&text=a%20b%26c%3Dd%2F%C3%A9"
        )
        let request = APIRequest(.get, "/shapes", queryItems: [QueryItem("q", "+"), QueryItem("flag", nil)])
        let _: Shape = try await api.value(for: request)
        #expect(backend.requests[1].rawTarget == "/shapes?q=%2B&flag")
    }

    @Test func headersOfACallTakePriorityWhateverTheirCase() async throws {
        let backend = try echo()
        let api = try backend.api {
            $0.baseHeaders = ["hello": "world", "bye": "galaxy", "accept": "text/plain"]
        }
        let _: Shape = try await api.get("/", headers: ["HELLO": "iOS", "farewell": "universe"])
        let fields = backend.requests[0].fields
        #expect(fields[values: "hello"] == ["iOS"])
        #expect(fields["bye"] == "galaxy" && fields["farewell"] == "universe")
        #expect(fields[values: "Accept"] == ["text/plain"])
    }

    @Test(arguments: [
        ["a": "1", "A": "2"], ["bad name": "x"], ["x": "a\r\nInjected: 1"], ["x": " padded"], ["": "x"],
    ])
    func headersThatCannotBeSentAreRefused(headers: [String: String]) async throws {
        let backend = try echo()
        let api = try backend.api()
        let error = await #expect(throws: APIError.self) {
            let _: Shape = try await api.get("/", headers: headers)
        }
        #expect(error?.code == .invalidHeader)
        #expect(backend.requests.isEmpty)
        #expect(throws: APIError.self) { try API(baseHeaders: headers) }
    }

    @Test func responsesWithoutContent() async throws {
        let backend = try Backend { request in
            if request.target.path == "/text" { return HTTPResponse(status: .ok, body: Array("done".utf8)) }
            return HTTPResponse(status: .noContent)
        }
        let api = try backend.api()
        let _: EmptyResponse = try await api.delete("/1")
        let _: EmptyResponse = try await api.post("/text")
        let none: Shape? = try await api.get("/1")
        #expect(none == nil)
        let error = await #expect(throws: APIError.self) { let _: Shape = try await api.get("/1") }
        #expect(error?.code == .decoding && error?.decoding?.offset == 0)
        #expect(backend.requests[1].fields[.contentLength] == "0")
    }

    @Test func performReturnsWhatCame() async throws {
        let backend = try Backend { _ in try .json(#"{"x":1}"#, 418) }
        let api: any APIService = try backend.api()
        let (data, response) = try await api.perform(APIRequest(.get, "/"), validatesStatusCode: false)
        #expect(response.status.code == 418 && String(decoding: data, as: UTF8.self) == #"{"x":1}"#)
        let error = await #expect(throws: APIError.self) { try await api.perform(APIRequest(.get, "/")) }
        #expect(error?.code == .status)
        let lenient = try backend.api { $0.validStatusCodes = [418] }
        #expect(try await lenient.perform(APIRequest(.get, "/")).response.status.code == 418)
    }

    @Test func ownCodersAreUsed() async throws {
        struct Event: Codable, Sendable, Equatable {
            var startedAt: Date
        }
        let backend = try Backend { request in
            try .json(request.method == .get ? #"{"started_at":"1970-01-01T00:00:07Z"}"# : "null")
        }
        let api = try backend.api {
            $0.coders = JSONCoders(
                makeEncoder: {
                    let encoder = JSONEncoder()
                    encoder.keyEncodingStrategy = .convertToSnakeCase
                    encoder.dateEncodingStrategy = .iso8601
                    return encoder
                },
                makeDecoder: {
                    let decoder = JSONDecoder()
                    decoder.keyDecodingStrategy = .convertFromSnakeCase
                    decoder.dateDecodingStrategy = .iso8601
                    return decoder
                }
            )
        }
        let event: Event = try await api.get("/")
        #expect(event.startedAt == Date(timeIntervalSince1970: 7))
        let _: Event? = try await api.post("/", parameters: event)
        #expect(
            String(decoding: backend.requests[1].body, as: UTF8.self)
                == #"{"started_at":"1970-01-01T00:00:07Z"}"#
        )
    }

    @Test func aDoubleNeedsOneMethod() async throws {
        struct Double: APIService {
            func perform(
                _ request: APIRequest,
                validatesStatusCode: Bool
            ) async throws(APIError) -> (data: [UInt8], response: HTTPResponse) {
                let response = HTTPResponse(status: .ok, body: Array(#"{"id":1,"name":"x"}"#.utf8))
                return (response.body, response)
            }
        }
        let shape: Shape = try await Double().get("/anything")
        #expect(shape == Shape(id: 1, name: "x"))
    }
}

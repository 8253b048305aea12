import APIClient
import HTTPMessages
import Testing

@Suite("Decoding", .timeLimit(.minutes(1))) struct DecodingTests {
    private struct Canned: APIService {
        let text: String

        func perform(
            _ request: APIRequest,
            validatesStatusCode: Bool
        ) async throws(APIError) -> (data: [UInt8], response: HTTPResponse) {
            let response = HTTPResponse(status: .ok, body: Array(text.utf8))
            return (response.body, response)
        }
    }

    private struct Drawing: Decodable {
        var title: String
        var shapes: [Shape]
        var sizes: [String: Int]?
    }

    private func failure<Output: Decodable & Sendable>(
        _ text: String,
        as type: Output.Type
    ) async throws -> APIError {
        let error = try #require(
            await #expect(throws: APIError.self) { _ = try await Canned(text: text).get("/") as Output }
        )
        #expect(error.code == .decoding)
        return error
    }

    @Test(arguments: [
        (
            #"{"title":"t","shapes":[{"id":1,"name":"a"},{"id":"2","name":"b"}]}"#, ["shapes", "1", "id"],
            #""2""#
        ),
        (#"{"shapes" : [ {"id":1, "name" : null } ], "title":"t"}"#, ["shapes", "0", "name"], "null"),
        (#"{"title":"t","shapes":[{"x":{"id":[1,{"id":2}]},"id":1}]}"#, ["shapes", "0", "name"], #"{"x""#),
        (#"{"shapes":[]}"#, ["title"], "{"),
        (#"{"t\u0069tle":[7],"shapes":[]}"#, ["title"], "[7]"),
        (#"{"title":"a,]}\"","shapes":[{"id":true,"name":"n"}]}"#, ["shapes", "0", "id"], "true"),
        (#"[]"#, [], "[]"),
    ]) func thePlaceOfAFaultIsTold(text: String, path: [String], place: String) async throws {
        let error = try await failure(text, as: Drawing.self)
        #expect(error.decoding?.path == path)
        let offset = try #require(error.decoding?.offset)
        #expect(String(decoding: Array(text.utf8)[offset...], as: UTF8.self).hasPrefix(place))
    }

    @Test(arguments: [
        ("{", 1), ("[1,]", 3), (#"{"id":1,"id":2,"name":"x"}"#, 8), ("[] x", 3), ("\u{FEFF}[]", 0),
        (#"{"id":01}"#, 7), ("<html>", 0), (#"{"name":"\ud800"}"#, 15),
    ]) func theOffsetOfBadGrammarIsTold(text: String, offset: Int) async throws {
        let error = try await failure(text, as: Shape.self)
        #expect(error.decoding?.offset == offset)
        #expect(error.decoding?.path == [])
    }

    @Test func aPlaceThatFoundationDoesNotTellIsNotMadeUp() async throws {
        let error = try await failure(#"{"title":"t","shapes":[{"id":1.5,"name":"n"}]}"#, as: Drawing.self)
        #expect(error.decoding?.path == [] && error.decoding?.offset == nil)
        #expect(
            "\(error)"
                == "decoding: a value is not what its type allows, at a place that is not known (DecodingError)"
        )
    }

    @Test func deepNestingIsRefused() async throws {
        let text = String(repeating: "[", count: 100_000)
        #expect(try await failure(text, as: Shape.self).decoding?.offset == 128)
    }

    @Test func aDescriptionShowsNothingOfTheContent() async throws {
        let error = try await failure(
            #"{"title":"t","shapes":[],"sizes":{"hunter2":"secret"}}"#,
            as: Drawing.self
        )
        #expect(error.decoding?.path == ["sizes", "hunter2"])
        #expect(
            "\(error)"
                == "decoding: a value has another type than expected, at sizes.*, at octet 44 (DecodingError)"
        )
        #expect(APIError.DecodingFailure(path: ["a", "0"]).description == "at a.0")
    }

    @Test func parametersThatCannotBeEncoded() async throws {
        struct Nested: Encodable {
            var a = ["b": ["c": 1]]
        }
        let backend = try Backend { _ in try .json("[]") }
        let api = try backend.api()
        let calls: [@Sendable () async throws -> [Shape]] = [
            { try await api.post("/", parameters: Double.infinity) },
            { try await api.get("/", parameters: Nested()) },
            { try await api.get("/", parameters: [1, 2]) },
            { try await api.post("/", body: .form(Nested())) },
        ]
        for call in calls {
            let error = await #expect(throws: APIError.self) { _ = try await call() }
            #expect(error?.code == .encoding)
        }
        #expect(backend.requests.isEmpty)
    }
}

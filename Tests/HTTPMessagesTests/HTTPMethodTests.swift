import HTTPMessages
import Testing

@Suite("Methods and statuses") struct HTTPMethodTests {
    @Test(arguments: ["", "GET ", "G\nET", "ÉT", "A/B"]) func methodsAreTokens(text: String) throws {
        let error = try #require(throws: HTTPMessageError.self) { try HTTPMethod(text) }
        #expect(error.code == .invalidMethod)
    }

    @Test func methodsDifferByCase() throws {
        #expect(try HTTPMethod("GET") == .get)
        #expect(try HTTPMethod("get") != .get)
        #expect(HTTPMethod.put.isIdempotent && !HTTPMethod.put.isSafe)
        #expect(HTTPMethod.get.isIdempotent && HTTPMethod.get.isSafe)
        #expect(!HTTPMethod.post.isIdempotent && !HTTPMethod.patch.isIdempotent)
    }

    @Test(arguments: [-1, 0, 99, 1000]) func statusesHaveThreeDigits(code: Int) throws {
        let error = try #require(throws: HTTPMessageError.self) { try HTTPStatus(code) }
        #expect(error.code == .invalidStatus)
    }

    @Test func statusesCompare() throws {
        #expect(try HTTPStatus(200) == .ok)
        #expect(try HTTPStatus(299).isSuccess)
        #expect(try !HTTPStatus(304).isSuccess)
    }
}

import APIClient
import FoundationEssentials
import Glibc
import HTTPInterceptors
import HTTPMessages
import HTTPServing
import Locking
import TestSupport
import Testing

@Suite("Response cache", .timeLimit(.minutes(2))) struct CacheTests {
    /// A server of one representation for each path and user, which answers 304 to its tag.
    private func backend(
        etag: @escaping @Sendable () -> String = { #""v1""# },
        _ headers: [(HTTPField.Name, String)] = [],
        on304: [(HTTPField.Name, String)] = []
    ) throws -> Backend {
        try Backend { request in
            let tag = etag()
            if request.fields["If-None-Match"] == tag { return try .json("", 304, [("ETag", tag)] + on304) }
            let user = request.fields[.authorization] ?? "nobody"
            return try .json(#""\#(user) \#(tag.filter(\.isLetter))""#, 200, [("ETag", tag)] + headers)
        }
    }

    private func statuses(_ backend: Backend) -> [Bool] {
        backend.requests.map { $0.fields.contains("If-None-Match") }
    }

    @Test(arguments: [#""v1""#, #"W/"v1""#, #""""#]) func whatHasNotChangedIsNotSentAgain(
        tag: String
    ) async throws {
        let backend = try backend(
            etag: { tag },
            [("X-Old", "1"), ("X-Both", "1"), (.setCookie, "a=b")],
            on304: [("X-Both", "2"), ("X-New", "2")]
        )
        let api = try backend.api { $0.cache = ResponseCache() }
        let first = try await api.perform(APIRequest(.get, "/")).response
        #expect(first.fields[.setCookie] == "a=b")
        let second = try await api.perform(APIRequest(.get, "/")).response
        #expect(second.status == .ok && second.body == first.body && !first.body.isEmpty)
        #expect(second.fields["X-Old"] == "1" && second.fields[values: "X-Both"] == ["2"])
        #expect(second.fields["X-New"] == "2" && second.fields[.setCookie] == nil)
        #expect(second.fields[.contentType] == "application/json")
        #expect(statuses(backend) == [false, true])
        let third: String = try await api.get("/")
        #expect(third.hasPrefix("nobody"))
    }

    @Test func whatHasChangedComesNew() async throws {
        let tag = Box(#""a""#)
        let backend = try backend(etag: { tag.value })
        let api = try backend.api { $0.cache = ResponseCache() }
        let old: String = try await api.get("/")
        tag.value = #""b""#
        let new: String = try await api.get("/")
        let again: String = try await api.get("/")
        #expect([old, new, again] == ["nobody a", "nobody b", "nobody b"])
        #expect(backend.requests.map { $0.fields["If-None-Match"] } == [nil, #""a""#, #""b""#])
    }

    @Test func oneUserIsNeverShownTheBodyOfAnother() async throws {
        struct SignIn: HTTPInterceptor {
            let user: @Sendable () -> String

            func intercept(
                _ request: HTTPRequest,
                next: @Sendable (HTTPRequest) async throws -> HTTPResponse
            ) async throws -> HTTPResponse {
                var request = request
                try request.fields.set(user(), for: .authorization)
                return try await next(request)
            }
        }
        let user = Box("alice")
        let backend = try backend()
        let api = try backend.api {
            $0.cache = ResponseCache()
            $0.interceptors = [SignIn { user.value }]
        }
        let alice: String = try await api.get("/me")
        user.value = "bob"
        let bob: String = try await api.get("/me")
        user.value = "alice"
        let again: String = try await api.get("/me")
        #expect([alice, bob, again] == ["alice v", "bob v", "alice v"])
        #expect(statuses(backend) == [false, false, true])
    }

    @Test(arguments: ["Cookie", "X-Api-Key", "Accept-Language", "Anything"])
    func everyFieldTellsRequestsApart(name: String) async throws {
        let backend = try backend()
        let cache = ResponseCache(ignoredFields: ["X-Trace"])
        let api = try backend.api { $0.cache = cache }
        for value in ["1", "2", "1"] {
            let _: String = try await api.get(
                "/",
                headers: [name: value, "X-Trace": "\(backend.requests.count)"]
            )
        }
        let _: String = try await api.get("/?q=1", headers: [name: "1"])
        #expect(statuses(backend) == [false, false, true, false])
        #expect(cache.count == 3)
    }

    @Test(arguments: [
        [("Cache-Control", "no-store")], [("Cache-Control", "max-age=1, No-Store")], [("Vary", "*")],
        [("Vary", "Accept, X-Request-ID")],
    ]) func someResponsesAreNotKept(headers: [(String, String)]) async throws {
        let backend = try backend(headers.map { (try HTTPField.Name($0.0), $0.1) })
        let cache = ResponseCache()
        let api = try backend.api { $0.cache = cache }
        for _ in 0..<2 { let _: String = try await api.get("/") }
        #expect(statuses(backend) == [false, false] && cache.count == 0)
    }

    @Test(arguments: ["v1", #""a"#, #"w/"a""#, "\"a b\"", #""a","b""#]) func tagsThatAreNoneAreNotKept(
        tag: String
    ) async throws {
        let backend = try backend(etag: { tag })
        let cache = ResponseCache()
        let api = try backend.api { $0.cache = cache }
        let _: String = try await api.get("/")
        #expect(cache.count == 0)
    }

    @Test func someRequestsGoPastTheCache() async throws {
        let backend = try backend()
        let cache = ResponseCache()
        let api = try backend.api { $0.cache = cache }
        let _: String = try await api.get("/", headers: ["Cache-Control": "no-store"])
        let _: String = try await api.post("/")
        let _: String = try await api.value(for: APIRequest(.get, "/", usesCache: false))
        let _: String = try await api.get("/", headers: ["Range": "bytes=0-"])
        #expect(cache.count == 0)
        let _: String = try await api.get("/")
        #expect(cache.count == 1)
        let own = try await api.perform(
            APIRequest(.get, "/", headers: ["If-None-Match": #""v1""#]),
            validatesStatusCode: false
        )
        #expect(own.response.status.code == 304)
        let _: String = try await api.value(for: APIRequest(.get, "/", usesCache: false))
        #expect(backend.requests.last?.fields.contains("If-None-Match") == false)
    }

    @Test func a304OfAnotherTagIsNotBelieved() async throws {
        let backend = try Backend { request in
            request.fields.contains("If-None-Match")
                ? try .json("", 304, [("ETag", #""other""#)])
                : try .json(#""whole""#, 200, [("ETag", #""v1""#)])
        }
        let api = try backend.api { $0.cache = ResponseCache() }
        for _ in 0..<2 {
            let text: String = try await api.get("/")
            #expect(text == "whole")
        }
        #expect(statuses(backend) == [false, true, false])
    }

    @Test func whatIsGoneIsForgotten() async throws {
        let isGone = Box("")
        let backend = try Backend { _ in
            isGone.value.isEmpty ? try .json("1", 200, [("ETag", #""v1""#)]) : HTTPResponse(status: .notFound)
        }
        let cache = ResponseCache()
        let api = try backend.api { $0.cache = cache }
        let _: Int = try await api.get("/")
        isGone.value = "yes"
        await #expect(throws: APIError.self) { let _: Int = try await api.get("/") }
        #expect(cache.count == 0)
    }

    @Test func theOldestGoesFirst() async throws {
        let backend = try backend()
        let cache = ResponseCache(limits: .init(count: 2))
        let api = try backend.api { $0.cache = cache }
        for path in ["/1", "/2", "/1", "/3", "/1", "/2"] {
            let _: String = try await api.get(APIEndpoint(path: path))
        }
        #expect(statuses(backend) == [false, false, true, false, true, false] && cache.count == 2)
        let small = ResponseCache(limits: .init(octets: 10))
        let other = try backend.api { $0.cache = small }
        let _: String = try await other.get("/1")
        #expect(small.count == 0)
        await cache.removeAll()
        #expect(cache.count == 0)
    }

    @Test func whatIsOnItsWayIsForgottenToo() async throws {
        let folder = try TemporaryFolder()
        let cache = try ResponseCache(file: folder.path + "/cache")
        let backend = try Backend { request in
            // The app signs a user out while the answer is on its way.
            if request.rawTarget == "/forgotten" { await cache.removeAll() }
            return try .json("1", 200, [("ETag", #""v1""#)])
        }
        let api = try backend.api { $0.cache = cache }
        for (path, count) in [("/kept", 1), ("/forgotten", 0), ("/forgotten", 0), ("/kept", 1)] {
            let _: Int = try await api.get(APIEndpoint(path: path))
            #expect(cache.count == count)
            #expect(try ResponseCache(file: folder.path + "/cache").count == count)
        }
        #expect(statuses(backend) == [false, false, false, false])
    }

    @Test func theFileEndsWithTheNewestState() async throws {
        let folder = try TemporaryFolder()
        let backend = try backend()
        let cache = try ResponseCache(file: folder.path + "/cache")
        let api = try backend.api { $0.cache = cache }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<64 {
                group.addTask { let _: String = try await api.get(APIEndpoint(path: "/\(index)")) }
            }
            try await group.waitForAll()
        }
        #expect(cache.count == 64 && cache.lastWriteFailure == nil)
        #expect(try ResponseCache(file: folder.path + "/cache").count == 64)
    }

    @Test func theCacheSurvivesARestart() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/cache"
        let backend = try backend([("X-Old", "é")])
        for _ in 0..<2 {
            let cache = try ResponseCache(file: path)
            let api = try backend.api { $0.cache = cache }
            let (_, response) = try await api.perform(
                APIRequest(.get, "/", headers: ["Authorization": "alice-secret"])
            )
            #expect(String(decoding: response.body, as: UTF8.self) == #""alice-secret v""#)
            #expect(response.fields["X-Old"] == "é")
            #expect(!cache.wasDamaged && cache.lastWriteFailure == nil)
        }
        #expect(statuses(backend) == [false, true])
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        try await ResponseCache(file: path).removeAll()
        #expect(try ResponseCache(file: path).count == 0)
    }

    @Test func privateResponsesStayInMemory() async throws {
        let folder = try TemporaryFolder()
        let backend = try backend([("Cache-Control", "private, max-age=60")])
        let cache = try ResponseCache(file: folder.path + "/cache")
        let api = try backend.api { $0.cache = cache }
        for _ in 0..<2 { let _: String = try await api.get("/") }
        #expect(statuses(backend) == [false, true] && cache.count == 1)
        #expect(try ResponseCache(file: folder.path + "/cache").count == 0)
    }

    @Test func aDamagedFileIsDropped() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/cache"
        let backend = try backend()
        let api = try backend.api { $0.cache = try? ResponseCache(file: path) }
        let _: String = try await api.get("/")
        let whole = Array(try Data(contentsOf: URL(filePath: path)))
        var flipped = whole
        flipped[flipped.count / 2] ^= 1
        for damaged in [Array(whole.dropLast()), whole + [0x20], flipped, Array("junk".utf8), [0x0A], []] {
            try write(damaged, path)
            let cache = try ResponseCache(file: path)
            #expect(cache.wasDamaged && cache.count == 0)
        }
        try write(whole, path)
        #expect(try ResponseCache(file: path).count == 1)
        try write(Array(repeating: 0x20, count: 10_000), path)
        #expect(try ResponseCache(file: path, limits: .init(count: 1, octets: 1)).wasDamaged)
    }

    private func write(_ bytes: [UInt8], _ path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
        #expect(unsafe chmod(path, 0o600) == 0)
    }

    @Test func aFileThatOthersCouldHaveWrittenIsAnError() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("cache", [])
        #expect(unsafe chmod(path, 0o644) == 0)
        #expect(throws: APIError.self) { try ResponseCache(file: path) }
        let error = #expect(throws: APIError.self) { try ResponseCache(file: folder.path + "/absent/cache/") }
        #expect(error?.code == .cache)
    }

    @Test func aFileThatCannotBeWrittenFailsNoCall() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/sub",
            withIntermediateDirectories: true
        )
        let cache = try ResponseCache(file: folder.path + "/sub/cache")
        try FileManager.default.removeItem(atPath: folder.path + "/sub")
        let backend = try backend()
        let api = try backend.api { $0.cache = cache }
        let _: String = try await api.get("/")
        #expect(cache.lastWriteFailure?.code == .cache && cache.count == 1)
    }
}

/// A text that a test changes while a server reads it.
final class Box: Sendable {
    private let text: Mutex<String>

    init(_ text: String) {
        self.text = Mutex(text)
    }

    var value: String {
        get { text.withLock { $0 } }
        set { text.withLock { $0 = newValue } }
    }
}

import Foundation
import FoundationNetworking
import HTTPMessages
import HTTPServing
import HTTPTransport
import Protection
import ProtectionFoundation
import TestSupport
import Testing

@Suite("Foundation session: content that comes and goes in pieces", .timeLimit(.minutes(1)))
struct FoundationStreamingTests {
    private static let content = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) })

    private let server: HTTPServer
    private let session: FoundationSession

    init() throws {
        server = try HTTPServer { request in
            switch request.target.path {
            case "/content": HTTPResponse(status: .ok, body: Self.content)
            case "/moved": Self.moved
            case "/echo": HTTPResponse(status: .created, body: request.body)
            default: HTTPResponse(status: .notFound)
            }
        }
        session = FoundationSession(
            ProtectedSession(service: ProtectionService(), transport: try CurlSession())
        )
    }

    private static var moved: HTTPResponse {
        let location = (try? HTTPField(.location, "/content")).map { [$0] } ?? []
        return HTTPResponse(status: (try? HTTPStatus(302)) ?? .ok, fields: HTTPFields(location))
    }

    private func request(_ path: String, _ method: String = "GET") throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: server.url + path)))
        request.httpMethod = method
        return request
    }

    private func withFile(_ body: (URL) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        try await body(URL(filePath: folder["file"]))
    }

    @Test func contentIsReadAsItComes() async throws {
        let (stream, response) = try await session.bytes(for: request("/content"))
        var content: [UInt8] = []
        for try await piece in stream { content += piece }
        #expect(response.statusCode == 200 && content == Self.content)
    }

    @Test func theResponseIsThatOfTheLastRedirect() async throws {
        let url = try #require(URL(string: server.url + "/moved"))
        let (stream, response) = try await session.bytes(from: url)
        #expect(response.url?.path == "/content")
        #expect(try await stream.collect(upTo: 1 << 20) == Self.content)
        let (_, direct) = try await session.data(from: try #require(URL(string: server.url + "/content")))
        #expect(direct.url?.path == "/content")
    }

    @Test func optionsAreThoseOfTheTransport() async throws {
        let progress = HTTPProgress()
        let options = HTTPRequestOptions(maximumResponseSize: Self.content.count, progress: progress)
        let response = try await session.response(for: request("/content"), options: options)
        #expect(response.metrics?.receivedBytes == Self.content.count)
        var last: HTTPProgress.State?
        for await state in progress.states { last = state }
        #expect(last?.received == Self.content.count)
        let error = await #expect(throws: TransportError.self) {
            try await session.data(for: request("/content"), options: .init(maximumResponseSize: 10))
        }
        #expect(error?.code == .responseTooLarge)
        try await withFile { file in
            _ = try await session.download(
                from: try #require(URL(string: server.url + "/content")),
                to: file
            )
            #expect(try Data(contentsOf: file) == Data(Self.content))
        }
    }

    @Test func aFileGoesUp() async throws {
        try await withFile { file in
            try Data(Self.content).write(to: file)
            var request = try request("/echo", "PUT")
            request.httpBody = Data([1])
            let (data, response) = try await session.upload(for: request, fromFile: file)
            #expect(response.statusCode == 201 && data == Data(Self.content))
        }
    }

    @Test func aSequenceGoesUp() async throws {
        let (pieces, producer) = AsyncStream.makeStream(of: Data.self)
        for piece in ["one", "two"] { producer.yield(Data(piece.utf8)) }
        producer.finish()
        let (data, response) = try await session.upload(for: request("/echo", "POST"), from: pieces)
        #expect(response.statusCode == 201 && data == Data("onetwo".utf8))
    }

    @Test func aDownloadHasItsNameWhenItIsWhole() async throws {
        try await withFile { file in
            let response = try await session.download(for: request("/content"), to: file)
            #expect(response.statusCode == 200)
            #expect(try Data(contentsOf: file) == Data(Self.content))
        }
    }

    @Test func withoutSuccessThereIsNoFile() async throws {
        try await withFile { file in
            let response = try await session.download(for: request("/nothing"), to: file)
            #expect(response.statusCode == 404 && !FileManager.default.fileExists(atPath: file.path))
        }
    }
}

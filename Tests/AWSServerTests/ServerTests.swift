import AWSSigning
import HTTPMessages
import HTTPTransport
import TestSupport
import Testing

/// Signatures before servers by others, over the network.
@Suite(
    "AWS signatures before real servers",
    .enabled(if: Peers.isPresent, Comment(rawValue: Peers.absence)),
    .timeLimit(.minutes(3))
)
struct ServerTests {
    private static let keys = [
        "plain.txt", "a key with spaces", "a+b+c", "100%", "a%20b", "a%2Fb", "日本語/é/😀", "~tilde~",
        "folder/-._~",
        "!*'();:@&=$,[]?#", "\"quotes\"<>|^`{}",
    ]

    private func content(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) } }

    private func text(_ response: HTTPResponse) -> String { String(decoding: response.body, as: UTF8.self) }

    /// The text of the first element of a name.
    private func element(_ name: String, in response: HTTPResponse) -> String? {
        let parts = text(response).split(separator: "<\(name)>", maxSplits: 1)
        return parts.count == 2 ? parts[1].split(separator: "</\(name)>").first.map(String.init) : nil
    }

    /// The keys that a list shows, encoded as the server writes them.
    private func list(_ server: ObjectServer, prefix: String) async throws -> [String] {
        let response = try await server.send(
            .get,
            query: ["list-type": "2", "prefix": prefix, "encoding-type": "url"]
        )
        #expect(response.status == .ok, "\(text(response))")
        return text(response).split(separator: "<Key>").dropFirst()
            .compactMap { $0.split(separator: "</Key>").first.map(String.init) }
    }

    @Test(arguments: ObjectServer.Kind.allCases, keys)
    func anObjectIsPutReadListedAndDeleted(kind: ObjectServer.Kind, name: String) async throws {
        let server = try await ObjectServer.running(kind)
        let key = "objects/\(name)"
        let body = content(1_000)
        let put = try await server.send(.put, key, body: body)
        #expect(put.status == .ok, "\(text(put))")
        let get = try await server.send(.get, key)
        #expect(get.status == .ok && get.body == body, "\(text(get))")
        let listed = try await list(server, prefix: key)
        #expect(listed.count == 1, "\(listed)")
        #expect(try await server.send(.head, key).status == .ok)
        let delete = try await server.send(.delete, key)
        #expect(delete.status == .noContent, "\(text(delete))")
        #expect(try await server.send(.get, key).status == .notFound)
        #expect(try await list(server, prefix: key).isEmpty)
    }

    /// A path is signed and sent with its doubled slashes; what becomes of the key is the server's affair.
    @Test(arguments: ObjectServer.Kind.allCases, ["slashes/a//b", "slashes//c", "//slashes/d"])
    func doubledSlashesAreSigned(kind: ObjectServer.Kind, key: String) async throws {
        let server = try await ObjectServer.running(kind)
        let body = content(key.utf8.count)
        let put = try await server.send(.put, key, body: body)
        let get = try await server.send(.get, key)
        switch kind {
        case .seaweedFS:
            #expect(put.status == .ok && get.status == .ok && get.body == body, "\(text(put)) \(text(get))")
            // It keeps one slash only.
            let single = key.split(separator: "/").joined(separator: "/")
            #expect(try await list(server, prefix: single) == [single])
        case .rclone:
            // Its keys are paths of files: after the signature it refuses the key.
            #expect(element("Code", in: put) == "InvalidArgument", "\(text(put))")
            #expect(element("Code", in: get) == "InvalidArgument", "\(text(get))")
        }
        let forged = try await server.send(.get, key, through: server.signing(with: server.wrongCredentials))
        #expect(element("Code", in: forged) == "SignatureDoesNotMatch", "\(text(forged))")
    }

    @Test(arguments: ObjectServer.Kind.allCases, keys)
    func whoeverHasAURLCanUseIt(kind: ObjectServer.Kind, name: String) async throws {
        let server = try await ObjectServer.running(kind)
        let signer = RequestSigner(server.profile)
        let target = try server.bucket.url(forKey: "presigned/\(name)")
        let body = content(2_000)
        func presigned(_ method: HTTPMethod, _ body: [UInt8]? = nil) throws -> HTTPRequest {
            let request = HTTPRequest(method: method, target: target, body: body.map { HTTPBody($0) })
            return try signer.presign(request, with: server.credentials, expiresIn: .seconds(60)).request
        }
        let put = try await server.session.data(for: presigned(.put, body))
        #expect(put.status == .ok, "\(text(put))")
        let get = try await server.session.data(for: presigned(.get))
        #expect(get.status == .ok && get.body == body, "\(text(get))")
        // The URL is for one method.
        var other = try presigned(.get)
        other.method = .delete
        #expect(try await server.session.data(for: other).status == .forbidden)
    }

    @Test(arguments: ObjectServer.Kind.allCases) func contentInChunks(kind: ObjectServer.Kind) async throws {
        let server = try await ObjectServer.running(kind)
        for count in [1, 8_192, 65_536, 200_000] {
            let body = content(count)
            let key = "chunks/\(count)"
            let put = try await server.send(
                .put,
                key,
                body: body,
                through: server.signing(.chunks(size: 65_536))
            )
            #expect(put.status == .ok, "\(text(put))")
            let get = try await server.send(.get, key)
            #expect(get.body == body, "\(count)")
        }
    }

    @Test(arguments: ObjectServer.Kind.allCases, [1, 65_536, 200_000])
    func filesAndStreamsInChunks(kind: ObjectServer.Kind, count: Int) async throws {
        let server = try await ObjectServer.running(kind)
        let content = content(count)
        let folder = try TemporaryFolder()
        let path = try folder.write("content", content)
        let (pieces, producer) = AsyncStream.makeStream(of: [UInt8].self)
        for start in stride(from: 0, to: count, by: 10_000) {
            producer.yield(Array(content[start..<min(start + 10_000, count)]))
        }
        producer.finish()
        for (name, body) in [
            ("file", HTTPBody(file: path)), ("stream", HTTPBody(HTTPBodyStream(pieces, count: count))),
        ] {
            let target = try server.bucket.url(forKey: "chunks/\(name)/\(count)")
            let put = try await server.signing(.chunks(size: 65_536))
                .data(for: HTTPRequest(method: .put, target: target, body: body))
            #expect(put.status == .ok, "\(text(put))")
            let get = try await server.send(.get, "chunks/\(name)/\(count)")
            #expect(get.body == content)
        }
    }

    @Test(arguments: ObjectServer.Kind.allCases) func contentInParts(kind: ObjectServer.Kind) async throws {
        let server = try await ObjectServer.running(kind)
        let key = "parts/a key + more"
        let start = try await server.send(.post, key, query: ["uploads": nil])
        let upload = try #require(element("UploadId", in: start), "\(text(start))")
        let parts = [content(5 << 20), content(1_000)]
        var tags: [String] = []
        for (index, part) in parts.enumerated() {
            let response = try await server.send(
                .put,
                key,
                query: ["partNumber": "\(index + 1)", "uploadId": upload],
                body: part
            )
            #expect(response.status == .ok, "\(text(response))")
            tags.append(try #require(response.fields["ETag"]))
        }
        let list = tags.enumerated().map {
            "<Part><PartNumber>\($0 + 1)</PartNumber><ETag>\($1)</ETag></Part>"
        }
        let end = try await server.send(
            .post,
            key,
            query: ["uploadId": upload],
            body: Array("<CompleteMultipartUpload>\(list.joined())</CompleteMultipartUpload>".utf8)
        )
        #expect(end.status == .ok, "\(text(end))")
        #expect(try await server.send(.get, key).body == parts[0] + parts[1])
    }

    @Test(arguments: ObjectServer.Kind.allCases)
    func aWrongSecretIsRefused(kind: ObjectServer.Kind) async throws {
        let server = try await ObjectServer.running(kind)
        for content in [SigV4Interceptor.Content.signed, .chunks(size: 8_192)] {
            let session = try server.signing(content, with: server.wrongCredentials)
            let put = try await server.send(.put, "refused", body: self.content(10), through: session)
            #expect(put.status == .forbidden)
            #expect(element("Code", in: put) == "SignatureDoesNotMatch", "\(text(put))")
        }
        #expect(try await server.send(.get, "refused").status == .notFound)
        let request = HTTPRequest(target: try server.bucket.url(forKey: "refused"))
        let presigned = try RequestSigner(server.profile)
            .presign(request, with: server.wrongCredentials, expiresIn: .seconds(60))
        #expect(try await server.session.data(for: presigned.request).status == .forbidden)
        // And who signs nothing gets nothing.
        let unsigned = try await server.session.data(for: request)
        // rclone calls it an algorithm that it does not know.
        let code = kind == .rclone ? "UnsupportedAlgorithm" : "AccessDenied"
        #expect(element("Code", in: unsigned) == code, "\(text(unsigned))")
    }
}

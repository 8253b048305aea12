import APIClient
import Encodings
import FoundationEssentials
import HTTPMessages
import HTTPServing
import TestSupport
import Testing

@Suite("Bodies", .timeLimit(.minutes(2))) struct BodyTests {
    private func sent(
        _ body: APIBody,
        headers: [String: String] = [:]
    ) async throws -> (type: String?, bytes: [UInt8]) {
        let backend = try Backend { _ in try .json("null") }
        let _: EmptyResponse = try await backend.api().post("/", body: body, headers: headers)
        let request = try #require(backend.requests.first)
        return (request.fields[.contentType], request.body)
    }

    private func text(_ body: APIBody) async throws -> String {
        String(decoding: try await sent(body).bytes, as: UTF8.self)
    }

    @Test func formsOfPairsKeepTheirOrder() async throws {
        let body = APIBody.form([
            QueryItem("b", "1 2"), QueryItem("a", "x&y=z+%"), QueryItem("b", "é*-._~"), QueryItem("n", nil),
        ])
        let (type, bytes) = try await sent(body)
        #expect(type == "application/x-www-form-urlencoded")
        #expect(String(decoding: bytes, as: UTF8.self) == "b=1+2&a=x%26y%3Dz%2B%25&b=%C3%A9*-._%7E&n=")
    }

    @Test func formsOfValues() async throws {
        struct Login: Encodable {
            var user = "me"
            var ids = [1, 2]
            var remember = false
            var ratio = 0.5
            var none: String?
        }
        #expect(try await text(.form(Login())) == "ids=1&ids=2&ratio=0.5&remember=false&user=me")
        #expect(try await text(.form(["a": "1"])) == "a=1")
    }

    @Test func otherContent() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("x.csv", "a,b")
        let csv = try await sent(.file(path, contentType: "text/csv"))
        #expect(csv.type == "text/csv" && csv.bytes == Array("a,b".utf8))
        let octets = try await sent(.bytes([0, 255], contentType: "application/octet-stream"))
        #expect(octets.bytes == [0, 255])
        let own = try await sent(.json([1]), headers: ["content-type": "application/merge-patch+json"])
        #expect(own.type == "application/merge-patch+json")
        let form = try await sent(.multipart(MultipartForm()), headers: ["content-type": "text/plain"])
        #expect(form.type?.hasPrefix("multipart/form-data; boundary=form-") == true)
    }

    private static let parser = """
        import sys, json, base64, email, email.policy
        message = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.HTTP)
        parts = []
        for part in message.iter_parts():
            disposition = part["content-disposition"]
            parts.append({"name": disposition.params["name"], "file": disposition.params.get("filename"),
              "type": part.get_content_type() if "content-type" in part else None,
              "body": base64.b64encode(part.get_payload(decode=True)).decode()})
        print(json.dumps({"defects": len(message.defects), "parts": parts}))
        """

    @Test(
        .enabled("python3, whose parser reads the parts, is not there") {
            try await Command.run("sh", ["-c", "command -v python3"]).status == 0
        }
    ) func multipartIsReadByAnotherParser() async throws {
        let folder = try TemporaryFolder()
        let octets = (0...255).map { UInt8($0) } + Array("\r\n--form-\r\n".utf8)
        let path = try folder.write("picture \"1\".png", octets)
        let empty = try folder.write("empty", [])
        var form = MultipartForm()
        form.append("plain é", name: "text")
        form.append("x", name: "a\"b\r\nX-Injected: 1")
        form.append(file: path, name: "picture", contentType: "image/png")
        form.append(file: empty, name: "empty", fileName: "other.bin")
        form.append(Array("{}".utf8), name: "meta", contentType: "application/json")
        let (type, bytes) = try await sent(.multipart(form))
        let head = "MIME-Version: 1.0\r\nContent-Type: \(try #require(type))\r\n\r\n"
        let command = try await Command.run("python3", ["-c", Self.parser], input: Array(head.utf8) + bytes)
        #expect(command.status == 0, Comment(rawValue: command.output))
        let result = try #require(
            try JSONValue(parsing: Array(command.output.utf8.filter { $0 != 0x0A })).object
        )
        #expect(result["defects"]?.integer == 0)
        let parts = try #require(result["parts"]?.array).compactMap(\.object)
        func members(_ name: String) -> [String?] { parts.map { $0[name]?.string } }
        #expect(members("name") == ["text", "a%22b%0D%0AX-Injected: 1", "picture", "empty", "meta"])
        #expect(members("file") == [nil, nil, "picture %221%22.png", "other.bin", nil])
        #expect(members("type") == [nil, nil, "image/png", "application/octet-stream", "application/json"])
        let bodies = try members("body").map { try Base64.standard.decode($0 ?? "") }
        #expect(bodies == [Array("plain é".utf8), Array("x".utf8), octets, [], Array("{}".utf8)])
    }

    @Test func boundariesAreNotTheSameTwice() async throws {
        var form = MultipartForm()
        form.append("x", name: "x")
        let types = [try await sent(.multipart(form)).type, try await sent(.multipart(form)).type]
        #expect(types[0] != types[1])
    }

    @Test func formsThatCannotBeMade() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("x", [UInt8](repeating: 1, count: 11))
        var forms: [MultipartForm] = []
        for change: (inout MultipartForm) -> Void in [
            { $0.append("x", name: "") },
            { $0.append("x", name: "a\0b") },
            { $0.append([1], name: "a", fileName: "b\u{7F}") },
            { $0.append([1], name: "a", contentType: "text/plain\r\nX-Injected: 1") },
            { $0.append(file: folder.path + "/absent", name: "a") },
            { $0.append(file: folder.path, name: "a") },
            { $0.append(file: path, name: "a") },
            { $0.append(Array(repeating: 1, count: 11), name: "a") },
            {
                $0.append(Array(repeating: 1, count: 6), name: "a")
                $0.append(Array(repeating: 1, count: 6), name: "b")
            },
        ] {
            var form = MultipartForm(maximumSize: 10)
            change(&form)
            forms.append(form)
        }
        for form in forms {
            let error = await #expect(throws: APIError.self) { try await sent(.multipart(form)) }
            #expect(error?.code == .encoding)
        }
    }
}

import AWSSigning
import Encodings
import FoundationEssentials
import HTTPMessages
import TestVectors
import Testing

/// One case of the signing test suite that AWS publishes.
struct SuiteCase: Sendable, CustomTestStringConvertible {
    let name: String

    var testDescription: String { name }

    static let all: [SuiteCase] =
        ((try? FileManager.default.contentsOfDirectory(
            atPath: "\(ConformanceData.directory)/sigv4/aws-v4-suite"
        )) ?? []).sorted().map(SuiteCase.init)

    func text(_ file: String) throws -> String {
        let bytes = [UInt8](try ConformanceData.bytes("sigv4/aws-v4-suite/\(name)/\(file)"))
        return try #require(String(validating: bytes, as: UTF8.self))
    }

    func context() throws -> JSONObject {
        try #require(try JSONValue(parsing: Array(text("context.json").utf8)).object)
    }

    func credentials() throws -> AWSCredentials {
        try Example.suiteCredentials(token: context()["credentials"]?.object?["token"]?.string)
    }

    func profile(isQuery: Bool) throws -> ServiceProfile {
        let context = try context()
        var profile = try ServiceProfile(
            service: try #require(context["service"]?.string),
            region: try #require(context["region"]?.string)
        )
        // The targets of the suite are not encoded, and neither is what it expects encoded twice.
        profile.pathEncoding = .once
        profile.normalizesPath = context["normalize"] == true
        profile.sendsContentHash = context["sign_body"] == true && !isQuery
        profile.signsSessionToken = context["omit_session_token"] != true
        return profile
    }

    func request() throws -> HTTPRequest {
        let message = Message(try text("request.txt"))
        let host = try #require(message.fields.first { $0.0.lowercased() == "host" }?.1)
        var request = try HTTPRequest(
            method: HTTPMethod(message.method),
            url: "https://\(host)\(message.target)",
            body: message.body.isEmpty ? nil : HTTPBody(message.body)
        )
        for (name, value) in message.fields { try request.fields.append(value, for: HTTPField.Name(name)) }
        return request
    }

    /// The parts of a request as text, with what no request on the wire has made into what it means: folded lines,
    /// blanks around values, characters that are not encoded.
    struct Message: Equatable, CustomStringConvertible {
        var method = ""
        var target = ""
        var fields: [(String, String)] = []
        var body = ""

        init(_ text: String) {
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
            let words = lines.removeFirst().split(separator: " ")
            method = String(words[0])
            target = Self.encoded(words.dropFirst().dropLast().joined(separator: " "))
            while let line = lines.popFirst(), !line.isEmpty {
                if line.first == " ", let last = fields.indices.last {
                    fields[last].1 += " " + Self.trimmed(line)
                } else {
                    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                    fields.append((String(parts[0]), Self.trimmed(parts[1])))
                }
            }
            body = lines.joined(separator: "\n")
        }

        init(_ request: HTTPRequest) {
            method = request.method.rawValue
            target = request.target.originForm
            fields = request.fields.map { ($0.name.rawName, $0.value) }
            body = request.body?.bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
        }

        var description: String {
            "\(method) \(target) HTTP/1.1\n" + fields.map { "\($0):\($1)\n" }.joined() + "\n" + body
        }

        static func == (left: Message, right: Message) -> Bool { left.description == right.description }

        private static func encoded(_ text: String) -> String {
            text.utf8.reduce(into: "") { output, octet in
                output +=
                    octet == 0x20 || octet >= 0x80
                    ? "%" + Hex.encode([octet]).uppercased() : String(Unicode.Scalar(octet))
            }
        }

        private static func trimmed(_ text: Substring) -> String {
            String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }
}

import Encodings
import HTTPMessages
import MessageSignatures
import StructuredFields
import TestSupport

/// A random message that both sides can sign, with what a signature of it covers.
///
/// What the peer is known to read in another way is left out: methods in lower case, `Set-Cookie` in several lines, folds
/// right after each other, `OPTIONS` without a path.
struct PeerMessage: Sendable {
    var message: SignableMessage
    /// The message in the form of a peer's question.
    private(set) var json = JSONObject()
    private(set) var components: [ComponentIdentifier] = []
    private(set) var parameters: [(String, BareItem)] = []
    let label: String

    init(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        label = Self.text("abz", 1...3, &random) + Self.text("a0_-.*", 0...3, &random)
        let (request, json, components) = try Self.request(&random)
        if Int.random(in: 0...3, using: &random) == 0 {
            let status = Int.random(in: 200...599, using: &random)
            let ofRequest = try components.map { component throws(SignatureError) in try component.ofRequest()
            }
            message = SignableMessage(status: try HTTPStatus(status), answering: request)
            self.json["status"] = .integer(Int64(status))
            self.json["request"] = .object(json)
            self.json["fields"] = []
            try addFields(&random)
            self.components = self.components + ofRequest + [.status]
        } else {
            message = request
            self.json = json
            self.components = components
        }
        self.components.shuffle(using: &random)
        self.components.removeLast(Int.random(in: 0...self.components.count, using: &random))
        makeParameters(&random)
    }

    /// Whether the digest of the content is covered, whole or a member of it.
    var coversContent: Bool { components.contains(where: \.isOfContent) }

    // MARK: - Parts

    private init(_ message: SignableMessage, _ json: JSONObject) {
        self.message = message
        self.json = json
        label = ""
    }

    private static func request(
        _ random: inout SeededGenerator
    ) throws -> (SignableMessage, JSONObject, [ComponentIdentifier]) {
        let method =
            ["GET", "POST", "PUT", "DELETE", "PATCH", "M-SEARCH"].randomElement(using: &random) ?? ""
        let host =
            ["example.com", "EXAMPLE.com", "[2001:db8::1]", "a-b.example"].randomElement(using: &random) ?? ""
        let port = ["", ":443", ":80", ":8443"].randomElement(using: &random) ?? ""
        let path =
            Bool.random(using: &random) ? "" : "/" + text("ab/.;=@!$&'()*+,:~", 0...12, &random) + "%2f"
        let names = (0..<Int.random(in: 0...4, using: &random)).map {
            "\($0)" + text("ab+~*", 0...3, &random) + "%C3%A9"
        }
        let pairs = names.map { "\($0)=" + text("ab+~*/?", 0...8, &random) + "%20" }
        let query = Bool.random(using: &random) ? "" : "?" + (pairs + ["b", "b=1"]).joined(separator: "&")
        let scheme = Bool.random(using: &random) ? "http" : "https"
        let url = "\(scheme)://\(host)\(port)\(path)\(query)"
        var json = JSONObject()
        json["method"] = .string(method)
        json["url"] = .string(url)
        json["fields"] = []
        let message = SignableMessage(method: try HTTPMethod(method), target: try SignableTarget(url))
        var made = PeerMessage(message, json)
        try made.addFields(&random)
        var components = made.components
        components += [.method, .targetURI, .authority, .scheme, .requestTarget, .path, .query]
        if !query.isEmpty {
            components += names.map { name in
                .queryParameter(name.replacing("+", with: " ").replacing("%C3%A9", with: "\u{E9}"))
            }
        }
        return (made.message, made.json, components)
    }

    private mutating func addFields(_ random: inout SeededGenerator) throws {
        for index in 0..<Int.random(in: 0...4, using: &random) {
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let (start, end) = (Self.text(" \t", 0...2, &random), Self.text(" \t", 0...2, &random))
                let fold = Int.random(in: 0...3, using: &random) == 0 ? " \t\r\n \tfolded" : ""
                add(
                    "X-\(index)",
                    Array((start + Self.text(#"aZ09 ",;=\:"#, 0...20, &random) + fold + end).utf8)
                )
            }
            components.append(try ComponentIdentifier("x-\(index)"))
            components.append(try ComponentIdentifier("x-\(index)", parameters: ["bs": true]))
        }
        add("X-Octets", (0..<10).map { _ in UInt8.random(in: 0xA0...0xFF, using: &random) })
        components.append(try ComponentIdentifier("x-octets", parameters: ["bs": true]))
        add("Priority", Array("u=3;a=1.50,  i;x=:AAA=:, q=( a \"b\"  ?1 )".utf8))
        for key in ["u", "i", "q"] {
            components.append(try ComponentIdentifier("priority", parameters: ["key": .string(key)]))
        }
        components.append(try ComponentIdentifier("priority", parameters: ["sf": true]))
        let content = (0..<Int.random(in: 0...50, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
        }
        message.content = content
        guard Bool.random(using: &random) else { return }
        let digest = try DigestField(
            of: content,
            using: Bool.random(using: &random) ? [.sha256, .sha512] : [.sha256]
        )
        add("Content-Digest", Array(digest.serialized.utf8))
        components.append(.contentDigest)
        components.append(try ComponentIdentifier("content-digest", parameters: ["key": "sha-256"]))
    }

    /// Adds a line to both forms; in JSON an octet is a character of Latin-1.
    private mutating func add(_ name: String, _ value: [UInt8]) {
        message.fields.append(FieldLine(name, value))
        var text = String.UnicodeScalarView()
        for octet in value { text.append(Unicode.Scalar(octet)) }
        json["fields"] = .array((json["fields"]?.array ?? []) + [[.string(name), .string(String(text))]])
    }

    private mutating func makeParameters(_ random: inout SeededGenerator) {
        parameters.append(
            ("created", .integer(TestSigner.now - Int64.random(in: 0...1_000_000, using: &random)))
        )
        // The peer takes the time from its clock.
        if Bool.random(using: &random) { parameters.append(("expires", .integer(99_999_999_999))) }
        for name in ["nonce", "tag"] where Bool.random(using: &random) {
            parameters.append((name, .string(Self.text(#" !"\az09~%:;,=()"#, 0...12, &random))))
        }
        parameters.shuffle(using: &random)
    }

    private static func text(
        _ letters: String,
        _ length: ClosedRange<Int>,
        _ random: inout SeededGenerator
    ) -> String {
        let letters = Array(letters.unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: length, using: &random) {
            text.append(letters[Int.random(in: letters.indices, using: &random)])
        }
        return String(text)
    }
}

extension ComponentIdentifier {
    /// Whether it is the digest of the message's own content, whole or a member of it.
    var isOfContent: Bool { name == "content-digest" && parameters["req"] == nil }
}

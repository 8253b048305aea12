import AWSSigning
import Cryptography
import Encodings
import FoundationEssentials
import HTTPMessages
import TestSupport

/// A random request, how it is to be signed, and the same as a question to botocore.
///
/// Left out is what botocore does in ways of its own:
/// - A query is signed as it is written there, and so is the path of an object: both are made in the canonical encoding.
/// - In a URL to be signed it keeps the first of several parameters with one name, and takes the content of the request
///   for more parameters: such requests have each name once and no content.
/// - An empty piece of a query (`a&&b`) becomes a parameter without a name there: there is none.
/// - A `Date` takes the place of `X-Amz-Date` there: no request has one.
/// - The fields that only we leave unsigned (`Via`, `X-Forwarded-For`, `Accept-Encoding` and others) are not sent.
struct PeerRequest: Sendable {
    private static let pieces = [
        "a", "B", "7", "-", "_", "~", ".", " ", "+", "%", "é", "日", "😀", "*", "'", "(", "=", "&", "?", "#",
        "@",
        ":", ";", ",", "$", "!", "%2F", "\u{7F}", "\"", "<",
    ]
    /// What a path may hold as it is, and escapes of both cases.
    private static let written = [
        "a", "B", "7", "-", "_", "~", ".", "%20", "+", "%25", "%c3%a9", "%C3%A9", "*", "'", "(", "=", "&",
        "@", ":",
        ";", ",", "$", "!", "%2F", "%2f",
    ]

    let seed: UInt64
    let isQuery: Bool
    let profile: ServiceProfile
    let request: HTTPRequest
    let credentials: AWSCredentials
    let secret: String
    let payload: Payload?
    let seconds: Int64
    let expiration: Int64

    init(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let isObjectStore = Bool.random(using: &random)
        self.seed = seed
        isQuery = Bool.random(using: &random)
        let region = Self.element(of: ["us-east-1", "eu-west-1", "auto", "cn-north-1"], &random)
        profile =
            isObjectStore
            ? try .s3(region: region)
            : try ServiceProfile(
                service: Self.element(of: ["execute-api", "sts", "service"], &random),
                region: region
            )
        seconds = Int64.random(in: 0..<4_000_000_000, using: &random)
        expiration = Int64.random(in: 1...604_800, using: &random)
        secret = Self.text("abcXYZ019+/ =%~", 1...60, &random).replacing(" ", with: "s")
        credentials = try AWSCredentials(
            accessKeyID: Self.text("ABCXYZ0189", 1...20, &random),
            secretAccessKey: SecretBytes(Array(secret.utf8)),
            sessionToken: Bool.random(using: &random) ? Self.text("abcXYZ019+/=", 1...300, &random) : nil
        )
        let host = Self.element(
            of: ["bucket.example.com", "localhost:9000", "a.example:443", "10.0.0.1"],
            &random
        )
        let path = Self.path(isObjectStore: isObjectStore, &random)
        let query = Self.query(repeats: !isQuery, &random)
        let content = isQuery || Bool.random(using: &random) ? [] : Self.content(&random)
        var fields = HTTPFields()
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let (name, value) = Self.field(&random)
            fields.append(try HTTPField(HTTPField.Name(name), value))
        }
        request = HTTPRequest(
            method: Self.element(of: [.get, .put, .post, .delete, .head], &random),
            target: try RequestTarget("https://\(host)\(path)\(query)"),
            fields: fields,
            body: content.isEmpty ? nil : HTTPBody(content)
        )
        payload = isObjectStore && (isQuery || Int.random(in: 0..<4, using: &random) == 0) ? .unsigned : nil
    }

    /// What we make of it: the value of `Authorization`, or the signed URL.
    func signed() throws -> String {
        let date = Date(timeIntervalSince1970: Double(seconds))
        guard isQuery else {
            let signed = try RequestSigner(profile)
                .sign(request, with: credentials, payload: payload ?? .body, at: date)
            return signed.request.fields[.authorization] ?? ""
        }
        let signed = try RequestSigner(profile)
            .presign(request, with: credentials, expiresIn: .seconds(expiration), payload: payload, at: date)
        return signed.request.target.absoluteString
    }

    var question: JSONValue {
        var object = JSONObject()
        object["ask"] = "sign"
        object["form"] = isQuery ? "query" : "header"
        object["isObjectStore"] = .bool(profile.sendsContentHash)
        object["service"] = .string(profile.service)
        object["region"] = .string(profile.region)
        object["date"] = .integer(seconds)
        object["expires"] = .integer(expiration)
        object["id"] = .string(credentials.accessKeyID)
        object["secret"] = .string(secret)
        if let token = credentials.sessionToken { object["token"] = .string(token) }
        object["method"] = .string(request.method.rawValue)
        object["url"] = .string(request.target.absoluteString)
        object["fields"] = .array(request.fields.map { [.string($0.name.rawName), .string($0.value)] })
        object["body"] = .string(Base64.standard.encode(request.body?.bytes ?? []))
        object["unsigned"] = .bool(payload == .unsigned)
        return .object(object)
    }

    // MARK: - Parts

    private static func path(isObjectStore: Bool, _ random: inout SeededGenerator) -> String {
        var path = ""
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            // Empty segments, and segments of dots, are there too.
            let count = Int.random(in: 0...6, using: &random)
            let special = element(of: ["", ".", "..", "a"], &random)
            let segment = (0..<count).map { _ in
                isObjectStore ? escaped(element(of: pieces, &random)) : element(of: written, &random)
            }
            path += "/" + (count == 0 ? special : segment.joined())
        }
        return path.isEmpty || Int.random(in: 0..<4, using: &random) == 0 ? path + "/" : path
    }

    private static func query(repeats: Bool, _ random: inout SeededGenerator) -> String {
        var names: Set<String> = []
        var parameters: [String] = []
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let name = escaped(piece(1...3, &random))
            guard names.insert(name).inserted || repeats else { continue }
            for _ in 0..<(repeats && Bool.random(using: &random) ? 2 : 1) {
                let value = escaped(piece(0...5, &random))
                parameters.append(value.isEmpty && Bool.random(using: &random) ? name : "\(name)=\(value)")
            }
        }
        return parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")
    }

    private static func field(_ random: inout SeededGenerator) -> (String, String) {
        let name = element(
            of: [
                "Content-Type", "x-amz-meta-b", "X-Amz-Meta-A", "X-Custom", "User-Agent", "x-amz-acl",
                "Range",
                "X-Amzn-Trace-Id", "Connection", "TE", "Cache-Control", "Cookie", "X", "x-y", "Baggage",
                "Expect",
            ],
            &random
        )
        let words = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            text("abZ09;=/\",:", 1...8, &random)
        }
        return (name, words.joined(separator: element(of: [" ", "  ", "\t", ", "], &random)))
    }

    private static func content(_ random: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 1...500, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private static func piece(_ count: ClosedRange<Int>, _ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: count, using: &random)).map { _ in element(of: pieces, &random) }.joined()
    }

    private static func text(
        _ letters: String,
        _ count: ClosedRange<Int>,
        _ random: inout SeededGenerator
    ) -> String {
        let letters = Array(letters)
        return String((0..<Int.random(in: count, using: &random)).map { _ in element(of: letters, &random) })
    }

    private static func element<Element>(of elements: [Element], _ random: inout SeededGenerator) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    /// The canonical encoding, written here anew: all but the unreserved characters of RFC 3986 as upper-case escapes.
    private static func escaped(_ text: String) -> String {
        text.utf8.map { octet in
            let character = Character(Unicode.Scalar(octet))
            guard octet < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) else {
                return "%" + Hex.encode([octet]).uppercased()
            }
            return String(character)
        }.joined()
    }
}

import Encodings
import TestSupport
import Testing
import TestVectors

@testable import ProtectionCommands

/// The examples of RFC 9421, through the command line.
@Suite(
    "signature: the examples of RFC 9421",
    .enabled(if: ConformanceData.isPresent, Comment(rawValue: ConformanceData.absence)),
    .timeLimit(.minutes(2))
)
struct PublishedSignatureTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let members: JSONObject
        /// The members of the key, by the names of the file.
        let key: JSONObject

        var testDescription: String { members["id"]?.string ?? "" }
        func text(_ name: String) throws -> String { try #require(members[name]?.string) }

        static func load() throws -> [Example] {
            guard ConformanceData.isPresent else { return [] }
            let bytes = [UInt8](try ConformanceData.bytes("http-signatures/rfc9421.json"))
            let root = try #require(try JSONValue(parsing: bytes).object)
            return try #require(root["cases"]?.array).map { value in
                let members = try #require(value.object)
                let name = try #require(members["key"]?.string)
                return Example(members: members, key: try #require(root["keys"]?.object?[name]?.object))
            }
        }

        /// The message in the form of the commands.
        func message() throws -> String {
            var message = try Self.converted(#require(members["message"]?.object))
            if let request = members["request"]?.object {
                message["request"] = .object(Self.converted(request))
            }
            return String(decoding: JSONValue.object(message).serialized(), as: UTF8.self)
        }

        private static func converted(_ object: JSONObject) -> JSONObject {
            var object = object
            for name in ["type", "http_version"] { object[name] = nil }
            if object["body"] == .null { object["body"] = nil }
            if let target = object["request_target"] {
                object["request_target"] = nil
                object["requestTarget"] = target
            }
            return object
        }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes the key and answers the options that name it.
    private func options(_ example: Example, isSigning: Bool) throws -> [String] {
        let algorithm = ["--alg", try example.text("algorithm")]
        if let secret = example.key["secret_base64"]?.string {
            return ["--key", try folder.write("key", secret), "--secret-format", "base64"] + algorithm
        }
        let name = isSigning ? "private_pem" : "public_pem"
        return ["--key", try folder.write("key", try #require(example.key[name]?.string))] + algorithm
    }

    private func fieldTypes(_ example: Example) -> [String] {
        (example.members["field_types"]?.object?.members ?? []).flatMap { name, kind in
            ["--field-type", "\(name)=\(kind.string ?? "")"]
        }
    }

    @Test func thereAreAllExamples() throws { #expect(try Example.load().count == 21) }

    @Test(arguments: try Example.load()) func theBaseIsThePrintedOne(example: Example) async throws {
        let run = await Run(
            ["signature", "base", "--label", try example.text("label"), "-"] + fieldTypes(example),
            input: try example.message()
        )
        #expect(run.exit == .ok, "\(run.errors)")
        #expect(run.output == (try example.text("signature_base")))
    }

    @Test(arguments: try Example.load()) func theSignatureIsVerified(example: Example) async throws {
        let run = await Run(
            ["signature", "verify", "--label", try example.text("label"), "--json", "-"]
                + (try options(example, isSigning: false)) + fieldTypes(example)
                + ["--at", String(example.members["now"]?.integer ?? 1_700_000_000)],
            input: try example.message()
        )
        let isValid = example.members["valid"]?.bool == true
        #expect(run.exit == (isValid ? .ok : .refused), "\(run.output)")
        if !isValid { #expect(try run.errorCode() == "signatureInvalid") }
    }

    /// Ed25519 and HMAC have one signature only: B.2.5 and B.2.6 are made again.
    @Test(
        arguments: try Example.load().filter { $0.members["deterministic"]?.bool == true }
            .filter { ["B.2.5", "B.2.6"].contains($0.testDescription) }
    )
    func theSignatureIsMadeAgain(example: Example) async throws {
        let input = try example.text("signature_input")
        let start = try #require(input.firstIndex(of: "(")), end = try #require(input.firstIndex(of: ")"))
        let run = await Run(
            [
                "signature", "sign", "--label", try example.text("label"), "--created", "1618884473",
                "--keyid", try example.text("key"), "--components",
                String(input[input.index(after: start)..<end]),
                "--fields", "-",
            ] + (try options(example, isSigning: true)),
            input: try unsigned(example)
        )
        #expect(
            run.line == "Signature-Input: \(input)\nSignature: \(try example.text("signature"))",
            "\(run.errors)"
        )
    }

    private func unsigned(_ example: Example) throws -> String {
        var message = try #require(try JSONValue(parsing: Array(try example.message().utf8)).object)
        message["fields"] = .array(
            (message["fields"]?.array ?? []).filter { pair in
                !["Signature", "Signature-Input"].contains(pair.array?.first?.string)
            }
        )
        return String(decoding: JSONValue.object(message).serialized(), as: UTF8.self)
    }
}

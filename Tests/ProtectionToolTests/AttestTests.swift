import AppAttestation
import Encodings
import FoundationEssentials
import TestSupport
import TestVectors
import Testing

@testable import ProtectionCommands

@Suite("attest", .timeLimit(.minutes(2))) struct AttestTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try Attestations.write(to: folder)
    }

    private var attestation: [String] {
        get throws {
            let keyID = String(try folder.text("key-id.txt").dropLast())
            return [
                "attest", "verify", "--app-id", Attestations.appID, "--key-id", keyID,
                "--format", "installation-key",
            ]
        }
    }
    private var assertion: [String] {
        ["attest", "verify", "--app-id", Attestations.appID, "--public-key", folder["attested.pem"]]
    }
    private var data: [String] { ["--client-data", folder["nonce.txt"]] }

    @Test func anAttestationIsVerified() async throws {
        let run = await Run(try attestation + data + [folder["attestation.cbor"]])
        #expect(run.exit == .ok && run.errors == "", "\(run.errors)")
        let checks = AttestCheck.installation.map { "passed       \($0.name)" }.joined(separator: "\n")
        #expect(
            run.output.hasPrefix(
                checks
                    + "\nVERIFIED\nkind attestation\nformat packed\ncounter 0\nvouchedBy the key itself\n-----BEGIN"
            )
        )
        let json = try await Run(try attestation + data + ["--json", folder["attestation.cbor"]]).json()
        #expect(json["verified"] == true && json["kind"] == "attestation" && json["counter"] == 0)
        #expect(json["publicKey"]?.string == (try folder.text("attested.pem")))
        let results = json["checks"]?.array?.map { $0.object?["result"]?.string }
        #expect(results == [String?](repeating: "passed", count: AttestCheck.installation.count))
    }

    /// Anyone can make such a key, so it is none that App Attest was asked for.
    @Test(arguments: [[], ["--format", "app-attest"], ["--environment", "production"]])
    func aKeyThatVouchesForItselfIsNotOneOfApples(options: [String]) async throws {
        let plain = Array(try attestation.dropLast(2))
        let run = await Run(plain + options + data + ["--json", folder["attestation.cbor"]])
        #expect(run.exit == .refused)
        #expect(try run.errorCode() == "unknownFormat")
    }

    @Test func anAssertionIsVerified() async throws {
        let input = try folder.text("assertion.b64")
        let run = await Run(assertion + data + ["-"], input: input)
        #expect(run.exit == .ok && run.output.hasSuffix("VERIFIED\nkind assertion\ncounter 1\n"))
        let replayed = await Run(assertion + data + ["--counter", "1", "--json", "-"], input: input)
        #expect(replayed.exit == .refused)
        #expect(try replayed.errorCode() == "counterNotAdvanced")
        let results = try replayed.json()["checks"]?.array?.compactMap { $0.object?["result"]?.string }
        #expect(
            results == ["passed", "passed", "passed", "passed", "passed", "failed", "notReached"]
        )
    }

    @Test func theFirstCheckThatFailsIsTheLast() async throws {
        let hash = ["--client-data-hash", String(repeating: "07", count: 32)]
        let run = await Run(try attestation + hash + [folder["attestation.cbor"]])
        #expect(run.exit == .refused && run.errors == "")
        #expect(
            run.line == """
                passed       client data hash
                passed       object
                passed       format
                passed       statement
                FAILED       signature
                not reached  key identifier
                not reached  app identifier
                not reached  counter
                not reached  authenticator
                not reached  credential identifier
                REFUSED invalidSignature: the statement's signature is wrong
                """
        )
        let json = await Run(try attestation + hash + ["--json", folder["attestation.cbor"]])
        #expect(json.exit == .refused)
        #expect(try json.errorCode() == "invalidSignature")
        #expect(try json.json()["verified"] == false)
    }

    @Test(arguments: [
        (["--client-data-hash", "0707"], "invalidClientDataHash"),
        (["--client-data", "absent"], "unreadable"),
    ])
    func otherFailures(options: [String], code: String) async throws {
        let run = await Run(try attestation + options + ["--json", folder["attestation.cbor"]])
        #expect(run.exit == (code == "unreadable" ? .trouble : .refused))
        #expect(try run.errorCode() == code)
    }

    @Test(arguments: [
        [], ["--key-id", "AA==", "--public-key", "x", "--client-data", "x"], ["--key-id", "AA=="],
        ["--key-id", "A", "--client-data", "x"], ["--key-id", "AA==", "--client-data-hash", "xx"],
        ["--key-id", "AA==", "--client-data", "x", "--counter", "1"],
        ["--public-key", "x", "--client-data", "x", "--at", "0"],
        ["--public-key", "x", "--client-data", "x", "--counter", "4294967296"],
        ["--key-id", "AA==", "--client-data", "x", "--client-data-hash", "00"],
        ["--key-id", "AA==", "--client-data", "x", "--at", "now"],
        ["--key-id", "AA==", "--client-data", "x", "--format", "packed"],
        ["--key-id", "AA==", "--client-data", "x", "--format", "installation-key", "--root", "x"],
        [
            "--key-id", "AA==", "--client-data", "x", "--format", "installation-key", "--environment",
            "production",
        ],
        ["--public-key", "x", "--client-data", "x", "--format", "app-attest"],
    ])
    func optionsThatMeanNothing(options: [String]) async {
        let run = await Run(["attest", "verify", "--app-id", "x"] + options + [folder["attestation.cbor"]])
        #expect(run.exit == .usage, "\(run.errors)")
    }

    @Test func thePartsAreShown() async throws {
        let run = await Run(["attest", "show", folder["attestation.cbor"]])
        #expect(run.exit == .ok)
        for line in ["attestation\n", "packed\n", "this library's client\n"] {
            #expect(run.output.contains(line))
        }
        let json = try await Run(["attest", "show", "--json", folder["attestation.cbor"]]).json()
        #expect(
            json["verified"] == false && json["flags"] == "40" && json["counter"] == 0 && json["alg"] == -7
        )
        #expect(json["credentialID"]?.string == String(try folder.text("key-id.txt").dropLast()))
        let input = try folder.text("assertion.b64")
        let shown = try await Run(["attest", "show", "--json", "-"], input: input).json()
        #expect(shown["kind"] == "assertion" && shown["counter"] == 1)
        #expect(shown["appIDHash"] == json["appIDHash"])
        let other = await Run(["attest", "show", "--json", folder["receipt.der"]])
        #expect(other.exit == .refused)
        #expect(try other.errorCode() == "malformedObject")
    }

    /// Shown is what the object says, also of a key that no verifier here takes.
    @Test(arguments: [
        (Int64(4), CBORValue.negative(6)), (2, .negative(998)), (1, .text("?")),
    ]) func aKeyOfAnUnknownKindIsShown(type: Int64, algorithm: CBORValue) async throws {
        let key = CBORValue.map([
            CBORMember(.unsigned(1), .unsigned(UInt64(type))), CBORMember(.unsigned(3), algorithm),
            CBORMember(.negative(0), .bytes([1, 2, 3])),
        ])
        let octets = CBORWriter.encode(key)
        let data = [UInt8](repeating: 7, count: 32) + [0x40, 0, 0, 0, 9] + [UInt8](repeating: 8, count: 16)
        let object = CBORWriter.map([
            "fmt": .text("packed"),
            "attStmt": CBORWriter.map([
                "alg": .negative(998), "sig": .bytes([5]), "a\u{1B}]0;title\u{07}": .bytes([6]),
            ]),
            "authData": .bytes(data + [0, 2, 0xAB, 0xCD] + octets),
        ])
        try folder.write("unknown.cbor", CBORWriter.encode(object))
        let json = try await Run(["attest", "show", "--json", folder["unknown.cbor"]]).json()
        #expect(json["format"] == "packed" && json["alg"] == -999 && json["sig"] == "05")
        #expect(json["counter"] == 9 && json["credentialID"] == "q80=")
        #expect(json["publicKey"] == "of a kind that is not supported")
        #expect(json["keyType"]?.integer == type)
        #expect(json["keyAlgorithm"]?.integer == algorithm.integer)
        #expect(json["coseKey"]?.string == Hex.encode(octets))
        let text = await Run(["attest", "show", folder["unknown.cbor"]])
        #expect(!text.output.contains("\u{1B}") && !text.output.contains("\u{07}"))
        #expect(text.exit == .ok && text.output.contains("of a kind that is not supported\n"))
    }

    @Test func aReceiptIsShown() async throws {
        let root = ["--root", folder["receipt-root.pem"]]
        let options = ["attest", "receipt", "--app-id", Attestations.appID] + root
        let key = ["--public-key", folder["attested.pem"]]
        let run = await Run(options + key + [folder["receipt.der"]])
        #expect(run.exit == .ok && run.errors == "", "\(run.errors)")
        for line in ["VERIFIED", "riskMetric      3", "creationTime    2025-06-01T00:00:00Z (214 days ago)"] {
            #expect(run.output.contains(line + "\n"), "\(run.output)")
        }
        let json = try await Run(options + key + ["--json", folder["receipt.der"]]).json()
        #expect(json["verified"] == true && json["kind"] == "ATTEST" && json["appID"] == "org.example.app")
        let late = await Run(
            options + key + ["--at", "2039-01-02T00:00:00Z", "--json", folder["receipt.der"]]
        )
        #expect(late.exit == .refused)
        #expect(try late.errorCode() == "receiptExpired")
        let apples = ["attest", "receipt", "--app-id", Attestations.appID] + key
        let untrusted = await Run(apples + ["--json", folder["receipt.der"]])
        #expect(try untrusted.errorCode() == "invalidReceiptSignature")
        #expect(await Run(options + [folder["receipt.der"]]).exit == .usage)
        #expect(await Run(options + key + [folder["attestation.cbor"]]).exit == .usage)
        let none = await Run(options + ["--json", folder["attestation.cbor"]])
        #expect(try none.errorCode() == "malformedReceipt")
    }

    private struct Published: Decodable {
        let appId: String
        let environment: String
        let keyIdBase64: String
        let verificationDate: String
        let attestationBase64: String
        let clientDataHashHex: String
    }

    @Test(
        .enabled(if: ConformanceData.isPresent, Comment(rawValue: ConformanceData.absence)),
        arguments: ["veehaitch-ios-14.4-beta-2", "webauthn4j-kayak"]
    )
    func anAttestationOfApples(name: String) async throws {
        let bytes = try ConformanceData.bytes("app-attest/\(name).json")
        let file = try JSONDecoder().decode(Published.self, from: bytes)
        let plain = file.attestationBase64.replacing("+", with: "-").replacing("/", with: "_")
        let octets = try Base64.url.decode(plain.replacing("=", with: ""))
        try folder.write("apple.cbor", octets)
        let options = [
            "attest", "verify", "--app-id", file.appId, "--key-id", file.keyIdBase64,
            "--client-data-hash", file.clientDataHashHex, "--json", folder["apple.cbor"],
        ]
        let time = String(file.verificationDate.prefix(19)) + "Z"
        let verified = await Run(options + ["--environment", file.environment, "--at", time])
        #expect(verified.exit == .ok, "\(verified.output)")
        #expect(try verified.json()["environment"]?.string == file.environment)
        let expired = await Run(options + ["--environment", file.environment])
        #expect(expired.exit == .refused)
        #expect(try expired.errorCode() == "certificateExpired")
        let results = try expired.json()["checks"]?.array?.compactMap { $0.object?["result"]?.string }
        #expect(results?.prefix(5) == ["passed", "passed", "passed", "passed", "failed"])
        let shown = await Run(["attest", "show", folder["apple.cbor"]])
        #expect(shown.exit == .ok && shown.output.contains("App Attest, \(file.environment)"))
    }

    @Test(arguments: [AttestCheck.apple, AttestCheck.installation, AttestCheck.assertion])
    func noCodeStandsTwice(checks: [AttestCheck]) {
        let codes = checks.flatMap(\.codes)
        #expect(Set(codes).count == codes.count)
        let unknown = AttestCheck.results(checks, .storeFailed)
        #expect(unknown.allSatisfy { $0.state == .notReached })
    }

    /// Every code that a verifier of the command can throw for its input belongs to one of its checks.
    ///
    /// All codes are read out of the source, so that a new one must find its place here.
    @Test func everyCodeHasItsPlace() throws {
        let path = PackageFolders.root + "/Sources/AppAttestation/AttestationError.Code.swift"
        let source = String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
        let all = Set(source.matches(of: /static let (\w+) = Code/).map { String($0.output.1) })
        #expect(all.count > 30)
        func names(_ checks: [AttestCheck]) -> Set<String> { Set(checks.flatMap(\.codes).map(\.description)) }
        // Other formats, receipts, requests and stores: nothing that the command's verifiers come to.
        let others: Set<String> = [
            "selfAttestationNotAllowed", "malformedTPMStructure", "portableKeyNotAllowed",
            "counterOvertaken", "unknownKey", "keyAlreadyBound", "storeFailed", "malformedReceipt",
            "formatNotAllowed",
            "invalidReceiptSignature", "receiptMismatch", "receiptExpired", "receiptNotExchanged",
            "invalidRequest", "ambiguousSigningString",
        ]
        let ofStatements: Set<String> = ["unsupportedAlgorithm", "invalidSignature"]
        let ofAssertions: Set<String> = ["counterNotAdvanced"]
        #expect(
            names(AttestCheck.apple)
                == all.subtracting(others).subtracting(ofStatements).subtracting(ofAssertions)
        )
        let ofChains: Set<String> = [
            "certificateCount", "invalidCertificate", "certificateExpired", "certificateNotYetValid",
            "untrustedCertificate", "missingNonce", "nonceMismatch", "environmentNotAllowed",
            "malformedExtensions", "extensionsNotAllowed", "keyMismatch",
        ]
        #expect(
            names(AttestCheck.installation)
                == all.subtracting(others).subtracting(ofAssertions).subtracting(ofChains)
        )
        let expected: Set<String> = [
            "invalidClientDataHash", "malformedObject", "malformedAuthenticatorData", "unsupportedAlgorithm",
            "invalidSignature", "libraryFailure", "appIDMismatch", "counterNotAdvanced",
            "malformedExtensions", "extensionsNotAllowed",
        ]
        #expect(names(AttestCheck.assertion) == expected)
    }
}

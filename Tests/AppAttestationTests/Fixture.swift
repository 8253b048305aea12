import AppAttestation
import Cryptography
import Encodings
import Foundation
import TestVectors
import Testing
import Timing

/// A real attestation, or real assertions, as published in somebody's tests.
struct Fixture: Decodable, Sendable, CustomTestStringConvertible {
    struct Assertion: Decodable, Sendable {
        let assertionBase64: String
        let counter: UInt32
        let clientDataHashHex: String
        let publicKeyX963Hex: String?

        var object: [UInt8] {
            get throws {
                try Fixture.base64(assertionBase64)
            }
        }
        var clientDataHash: [UInt8] { get throws { try Hex.decode(clientDataHashHex) } }
    }

    struct Receipt: Decodable, Sendable {
        struct Expected: Decodable, Sendable {
            let clientHashBase64: String?
            let environment: String?
            let riskMetric: String?
            let token: String?
            let type: String?
        }
        let receiptBase64: String
        let timestamp: String
        let expected: Expected?
    }

    struct Checks: Decodable, Sendable { let receiptCMSSignature: Bool? }

    var name = ""
    let appId: String
    let environment: String?
    let keyIdBase64: String?
    let verificationDate: String?
    let attestationBase64: String?
    let clientDataBase64: String?
    let clientDataHashHex: String?
    let clientDataHashRule: String?
    let expectedBundleVersion: String?
    let expectedValidationCategory: UInt32?
    let assertions: [Assertion]?
    let receipts: [Receipt]?
    let checks: Checks?

    private enum CodingKeys: String, CodingKey {
        case appId, environment, keyIdBase64, verificationDate, attestationBase64, clientDataBase64
        case clientDataHashHex, clientDataHashRule, expectedBundleVersion, expectedValidationCategory
        case assertions, receipts, checks
    }

    var testDescription: String { name }

    var object: [UInt8] { get throws { try Self.base64(attestationBase64 ?? "") } }
    var keyID: [UInt8] { get throws { try Base64.standard.decode(keyIdBase64 ?? "") } }
    var clientDataHash: [UInt8] { get throws { try Hex.decode(clientDataHashHex ?? "") } }
    var time: Int64 { Self.seconds(verificationDate ?? "") }
    var environments: Set<AppAttestEnvironment> {
        environment.flatMap(AppAttestEnvironment.init(rawValue:)).map { [$0] } ?? []
    }

    /// Some clients use the alphabet of URLs, and some leave the padding out.
    static func base64(_ text: String) throws -> [UInt8] {
        let plain = text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        return try Base64.url.decode(plain)
    }

    static func seconds(_ text: String) -> Int64 {
        let plain = text.split(separator: ".").first.map { $0.hasSuffix("Z") ? String($0) : $0 + "Z" } ?? ""
        return (try? Date(plain, strategy: .iso8601)).map { Int64($0.timeIntervalSince1970) } ?? -1
    }

    func verifier(
        appID: String? = nil,
        environments: Set<AppAttestEnvironment>? = nil,
        time: Int64? = nil
    ) throws -> AttestationVerifier {
        try AttestationVerifier(
            appIDs: ["0000000000.another.app", appID ?? appId],
            formats: [AppleAppAttestFormat(environments: environments ?? self.environments)],
            time: .fixed(time ?? self.time)
        )
    }

    static let all: [Fixture] = {
        let folder = ConformanceData.directory + "/app-attest"
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".json") }.sorted().compactMap { file in
            guard let data = try? ConformanceData.bytes("app-attest/" + file),
                var fixture = try? JSONDecoder().decode(Fixture.self, from: data)
            else { return nil }
            fixture.name = String(file.dropLast(5))
            return fixture
        }
    }()

    static let attestations: [Fixture] = all.filter { $0.attestationBase64 != nil }
    static let withAssertions: [Fixture] = all.filter { $0.assertions?.isEmpty == false }
}

extension TimeSource {
    /// A clock that stands still.
    static func fixed(_ seconds: Int64) -> TimeSource {
        TimeSource(
            date: { Date(timeIntervalSince1970: TimeInterval(seconds)) },
            uptime: { .zero },
            sleep: { _ in }
        )
    }
}

import AppAttestation
import AttestationAuthority
import Encodings
import Foundation
import HTTPMessages
import TestVectors
import Testing
import Timing

/// A real attestation of App Attest, whose client hashed a text.
///
/// Left out are fixtures of clients that hashed octets which are no UTF-8 (a nonce of these endpoints is text), and of
/// Apple's own samples, which put the challenge in without hashing it.
struct AppleFixture: Decodable, Sendable, CustomTestStringConvertible {
    var name = ""
    let appId: String
    let environment: String?
    let keyIdBase64: String?
    let verificationDate: String?
    let attestationBase64: String?
    let clientDataBase64: String?
    let clientDataHashRule: String?

    private enum CodingKeys: String, CodingKey {
        case appId, environment, keyIdBase64, verificationDate, attestationBase64, clientDataBase64
        case clientDataHashRule
    }

    var testDescription: String { name }

    var nonce: String? {
        guard clientDataHashRule == "SHA256(clientData)", let text = clientDataBase64,
            let octets = try? Self.octets(text)
        else { return nil }
        return String(validating: octets, as: UTF8.self)
    }

    var time: TimeSource {
        let text = (verificationDate ?? "").split(separator: ".").first.map(String.init) ?? ""
        let date = try? Date(text.hasSuffix("Z") ? text : text + "Z", strategy: .iso8601)
        return TimeSource(date: { date ?? .distantPast }, uptime: { .zero }, sleep: { _ in })
    }

    /// Some clients use the alphabet of URLs, and some leave the padding out.
    static func octets(_ text: String) throws -> [UInt8] {
        let plain = text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        return try Base64.url.decode(plain)
    }

    static let all: [AppleFixture] = {
        let folder = ConformanceData.directory + "/app-attest"
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".json") }.sorted().compactMap { file in
            guard let data = try? ConformanceData.bytes("app-attest/" + file),
                var fixture = try? JSONDecoder().decode(AppleFixture.self, from: data),
                fixture.attestationBase64 != nil, fixture.nonce != nil
            else { return nil }
            fixture.name = String(file.dropLast(5))
            return fixture
        }
    }()
}

@Suite(
    "Attestations of App Attest at the endpoints",
    .enabled(if: ConformanceData.isPresent, Comment(rawValue: ConformanceData.absence))
) struct AppleFixtureTests {
    /// Gives the nonce that the fixture's client had.
    private struct OneChallenge: ChallengeStore {
        let nonce: String
        func insert(_ challenge: IssuedChallenge, lifetime: Duration) async -> Bool { true }
        func take(_ sessionID: String) async -> IssuedChallenge? {
            IssuedChallenge(sessionID: sessionID, nonce: nonce, kind: .apple)
        }
    }

    @Test func thereAreFixtures() { #expect(AppleFixture.all.count >= 15) }

    @Test(arguments: AppleFixture.all)
    func realAttestationsAreKept(fixture: AppleFixture) async throws {
        let environment = try #require(AppAttestEnvironment(rawValue: fixture.environment ?? ""))
        let nonce = try #require(fixture.nonce)
        func answer(_ nonce: String, _ keys: InMemoryAttestedKeyStore) async throws -> Answer {
            let endpoints = AttestationEndpoints(
                apple: try AttestationVerifier(
                    appIDs: [fixture.appId],
                    formats: [AppleAppAttestFormat(environments: [environment])],
                    time: fixture.time
                ),
                installations: nil,
                keys: keys,
                challenges: OneChallenge(nonce: nonce)
            )
            var object = JSONObject()
            object["sessionId"] = "s"
            object["keyId"] = .string(fixture.keyIdBase64 ?? "")
            let attestation = try AppleFixture.octets(fixture.attestationBase64 ?? "")
            object["attestation"] = .string(Base64.standard.encode(attestation))
            let body = String(decoding: object.serialized(), as: UTF8.self)
            let response = await endpoints.respond(to: try Fixture.request("/apple/attest", body))
            return try Answer(#require(response))
        }
        let keys = InMemoryAttestedKeyStore()
        #expect(try await answer(nonce, keys) == Answer(204))
        #expect(try await answer(nonce, keys) == Answer(409, "keyAlreadyBound"))
        #expect(try await answer(nonce + "x", keys) == Answer(403, "nonceMismatch"))
        let key = await keys.key(try Base64.standard.decode(fixture.keyIdBase64 ?? ""))
        #expect(key?.format == .appleAppAttest)
        #expect(key?.appID == fixture.appId && key?.environment == environment)
    }
}

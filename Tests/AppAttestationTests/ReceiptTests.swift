import AppAttestation
import Cryptography
import Encodings
import FoundationEssentials
import HTTPMessages
import JSONWebTokens
import TestVectors
import Testing

@Suite("Receipts", .enabled(if: ConformanceData.isPresent, Comment(rawValue: ConformanceData.absence)))
struct ReceiptTests {
    private func attestation(_ fixture: Fixture) throws -> VerifiedAttestation {
        try fixture.verifier()
            .verify(fixture.object, keyID: fixture.keyID, clientDataHash: fixture.clientDataHash)
    }

    /// A leaf is in force from a day before its issue, and the receipt is made with it.
    private func issued(_ attestation: VerifiedAttestation) -> Int64 {
        (attestation.certificates.first?.notBefore ?? 0) + 86_400
    }

    @Test(arguments: Fixture.attestations)
    func theReceiptOfAnAttestation(fixture: Fixture) throws {
        let attestation = try attestation(fixture)
        let verifier = try ReceiptVerifier(time: .fixed(issued(attestation) + 5))
        guard fixture.checks?.receiptCMSSignature == true else {
            let error = try #require(throws: AttestationError.self) {
                try verifier.verify(receiptOf: attestation)
            }
            #expect(error.code == .invalidReceiptSignature)
            return
        }
        let receipt = try verifier.verify(receiptOf: attestation)
        #expect(receipt.kind == .attestation)
        #expect(receipt.appID == fixture.appId)
        #expect(receipt.riskMetric == nil)
        #expect(receipt.expirationTime.timeIntervalSince(receipt.creationTime) == 90 * 86_400)

        for (time, maximumAge, code) in [
            (400, 300, AttestationError.Code.receiptExpired), (-400, 300, .receiptExpired),
            (91 * 86_400, 1_000_000_000, .receiptExpired),
        ] as [(Int64, Int64, AttestationError.Code)] {
            let error = try #require(throws: AttestationError.self) {
                try ReceiptVerifier(
                    maximumAge: .seconds(maximumAge),
                    time: .fixed(issued(attestation) + time)
                ).verify(receiptOf: attestation)
            }
            #expect(error.code == code || error.code == .invalidReceiptSignature)
        }
        let wrongRoot = try ReceiptVerifier(
            roots: [AppleRoots.appAttestation()],
            time: .fixed(issued(attestation) + 5)
        )
        let error = try #require(throws: AttestationError.self) {
            try wrongRoot.verify(receiptOf: attestation)
        }
        #expect(error.code == .invalidReceiptSignature)
        let other = try #require(throws: AttestationError.self) {
            try verifier.verify(receipt.bytes, key: TestMint().attestedKey())
        }
        #expect(other.code == .receiptMismatch)
    }

    /// Parts of the message are not signed, so a flipped bit may leave the receipt as it was, but never with other fields.
    @Test(arguments: Fixture.attestations.filter { $0.checks?.receiptCMSSignature == true })
    func aFlippedBitNeverChangesAField(fixture: Fixture) throws {
        let attestation = try attestation(fixture)
        let verifier = try ReceiptVerifier(time: .fixed(issued(attestation) + 5))
        let original = try verifier.verify(receiptOf: attestation)
        var refused = 0
        for position in stride(from: 0, to: original.bytes.count, by: 13) {
            var changed = original.bytes
            changed[position] ^= 1 << (position % 8)
            do {
                let receipt = try verifier.verify(changed, key: attestation.key)
                #expect(receipt.clientHash == original.clientHash && receipt.token == original.token)
                #expect(receipt.creationTime == original.creationTime)
                #expect(receipt.expirationTime == original.expirationTime)
                #expect(receipt.attestedCertificate == original.attestedCertificate)
            } catch {
                #expect(error.code == .invalidReceiptSignature)
                refused += 1
            }
        }
        #expect(refused >= 200)
    }

    @Test(arguments: Fixture.attestations.filter { $0.receipts?.isEmpty == false })
    func refreshedReceipts(fixture: Fixture) throws {
        let key = try attestation(fixture).key
        for item in fixture.receipts ?? [] {
            let bytes = try Fixture.base64(item.receiptBase64)
            let expected = try #require(item.expected)
            let verifier = try ReceiptVerifier(time: .fixed(Fixture.seconds(item.timestamp) + 5))
            let receipt = try verifier.verify(bytes, key: key)
            #expect(receipt.kind.rawValue == expected.type)
            #expect(receipt.environment == expected.environment)
            #expect(receipt.token == expected.token)
            #expect(receipt.riskMetric.map(String.init) == expected.riskMetric)
            #expect(Base64.standard.encode(receipt.clientHash) == expected.clientHashBase64)
            if receipt.kind == .refreshed {
                let notBefore = try #require(receipt.notBefore)
                #expect(notBefore.timeIntervalSince(receipt.creationTime) == 86_400)
            }
        }
    }

    @Test func theRequestIsSigned() throws {
        let key = try PrivateKey.generate(.p256)
        let refresher = try ReceiptRefresher(
            teamID: "TEAM123456",
            key: JSONWebKey(key, keyID: "KEY1234567"),
            time: .fixed(1_767_322_800)
        )
        for (environment, host) in [
            (AppAttestEnvironment.production, "data.appattest.apple.com"),
            (.development, "data-development.appattest.apple.com"),
        ] {
            let request = try refresher.request(for: [1, 2, 3], environment: environment)
            #expect(request.method == .post)
            #expect(request.target == (try RequestTarget("https://\(host)/v1/attestationData")))
            #expect(request.body?.bytes == Array("AQID".utf8))
            let parts = (request.fields[.authorization] ?? "").split(separator: ".")
            #expect(parts.count == 3)
            let claims = String(decoding: try Base64.url.decode(parts[1]), as: UTF8.self)
            #expect(claims == #"{"iss":"TEAM123456","iat":1767322800}"#)
            let header = String(decoding: try Base64.url.decode(parts[0]), as: UTF8.self)
            #expect(header == #"{"alg":"ES256","kid":"KEY1234567"}"#)
            let isValid = try key.publicKey.isValidSignature(
                Base64.url.decode(parts[2]),
                for: Array("\(parts[0]).\(parts[1])".utf8),
                using: .ecdsaP256SHA256
            )
            #expect(isValid)
        }
    }

    @Test func otherKeysMakeNoRequest() throws {
        let keys = [
            try JSONWebKey(PrivateKey.generate(.p256)),
            try JSONWebKey(PrivateKey.generate(.ed25519), keyID: "a"),
            try JSONWebKey(PrivateKey.generate(.p256).publicKey, keyID: "a"),
        ]
        for key in keys {
            let error = try #require(throws: AttestationError.self) {
                try ReceiptRefresher(teamID: "TEAM123456", key: key)
            }
            #expect(error.code == .invalidRequest)
        }
    }
}

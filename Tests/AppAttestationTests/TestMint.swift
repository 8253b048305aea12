import AppAttestation
import Cryptography
import Foundation

/// Makes attestations and assertions of App Attest under a root of its own.
struct TestMint {
    static let now: Int64 = 1_767_322_800  // 2026-01-02T03:00:00Z
    static let appID = "1234567890.org.example.app"
    static let hash = [UInt8](repeating: 7, count: 32)

    let rootKey: PrivateKey
    let root: Certificate
    let authorityKey: PrivateKey
    let authority: Certificate
    let key: PrivateKey
    let keyID: [UInt8]
    private let now: Int64

    init(
        now: Int64 = Self.now,
        authorityEnd: Int64 = Self.now + 86_400 * 3650,
        authorityIsCA: Bool = true
    ) throws {
        self.now = now
        let start = Self.now - 86_400 * 365
        rootKey = try .generate(.p384)
        root = try CertificateBuilder(
            commonName: "test root",
            role: .authority(pathLength: nil),
            notBefore: start,
            notAfter: Self.now + 86_400 * 7300
        ).selfSigned(with: rootKey)
        authorityKey = try .generate(.p384)
        authority = try CertificateBuilder(
            commonName: "test authority",
            role: authorityIsCA ? .authority(pathLength: 0) : .client,
            notBefore: start,
            notAfter: authorityEnd
        ).issued(for: authorityKey.publicKey, by: root, key: rootKey)
        key = try .generate(.p256)
        keyID = try HashAlgorithm.sha256.hash(key.publicKey.x963 ?? [])
    }

    /// What an attestation is made of; each part can be put wrong.
    struct Parts {
        var fmt: CBORValue = .text("apple-appattest")
        var appID = TestMint.appID
        var flags: UInt8 = 0x40
        var counter: UInt32 = 0
        var aaguid = AppAttestEnvironment.production.aaguid
        var credentialID: [UInt8]?
        var coseKey: PublicKey?
        var coseMembers: [CBORMember] = []
        var tail: [UInt8] = []
        var nonceExtension: (([UInt8]) -> [UInt8])? = { [0x30, 0x24, 0xA1, 0x22, 0x04, 0x20] + $0 }
        /// More extensions, by the last number of 1.2.840.113635.100.8.
        var extensions: [(number: UInt8, value: [UInt8])] = []
        var leafIsCA = false
        var certificates: (([CBORValue]) -> [CBORValue])?
        var statement: ((CBORValue) -> CBORValue)?
        var receipt: CBORValue = .bytes([1, 2, 3])
    }

    func attestation(
        _ parts: Parts = Parts(),
        clientDataHash: [UInt8] = Self.hash
    ) throws -> [UInt8] {
        let data = try authenticatorData(parts)
        let nonce = try HashAlgorithm.sha256.hash(data + clientDataHash)
        let leaf = try leaf(parts, nonce: parts.nonceExtension?(nonce))
        let chain: [CBORValue] = [.bytes(leaf), .bytes(authority.der)]
        let statement = CBOREncoder.map([
            "x5c": .array(parts.certificates?(chain) ?? chain), "receipt": parts.receipt,
        ])
        return CBOREncoder.encode(
            CBOREncoder.map([
                "fmt": parts.fmt, "attStmt": parts.statement?(statement) ?? statement,
                "authData": .bytes(data),
            ])
        )
    }

    func authenticatorData(_ parts: Parts) throws -> [UInt8] {
        let point = (parts.coseKey ?? key.publicKey).x963 ?? []
        let cose = CBORValue.map(
            [
                CBORMember(.unsigned(1), .unsigned(2)), CBORMember(.unsigned(3), .negative(6)),
                CBORMember(.negative(0), .unsigned(1)),
                CBORMember(.negative(1), .bytes(Array(point[1..<33]))),
                CBORMember(.negative(2), .bytes(Array(point[33...]))),
            ] + parts.coseMembers
        )
        let credentialID = parts.credentialID ?? keyID
        return try HashAlgorithm.sha256.hash(Array(parts.appID.utf8)) + [parts.flags]
            + CBOREncoder.bigEndian(UInt64(parts.counter), 4) + parts.aaguid
            + CBOREncoder.bigEndian(UInt64(credentialID.count), 2) + credentialID
            + CBOREncoder.encode(cose) + parts.tail
    }

    private func leaf(_ parts: Parts, nonce: [UInt8]?) throws -> [UInt8] {
        func entry(_ identifier: [UInt8], _ value: [UInt8], isCritical: Bool = false) -> [UInt8] {
            DER.sequence(
                DER.identifier(identifier),
                isCritical ? DER.element(.boolean, [0xFF]) : [],
                DER.element(.octetString, value)
            )
        }
        let constraints = DER.element(.sequence, parts.leafIsCA ? DER.element(.boolean, [0xFF]) : [])
        var extensions = entry([0x55, 0x1D, 0x13], constraints, isCritical: true)
        let usage: [UInt8] = parts.leafIsCA ? [1, 0x86] : [4, 0xF0]
        extensions += entry([0x55, 0x1D, 0x0F], DER.element(.bitString, usage), isCritical: true)
        for (number, value) in (nonce.map { [(number: UInt8(2), value: $0)] } ?? []) + parts.extensions {
            extensions += entry([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x08, number], value)
        }
        let algorithm = DER.sequence(DER.identifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x03]))
        let name = DER.sequence(
            DER.element(
                .set,
                DER.sequence(
                    DER.identifier([0x55, 0x04, 0x03]),
                    DER.element(.utf8String, Array("leaf".utf8))
                )
            )
        )
        let validity = DER.sequence(
            DER.element(.utcTime, Self.utcTime(now - 86_400)),
            DER.element(.utcTime, Self.utcTime(now + 2 * 86_400))
        )
        let body = DER.sequence(
            DER.element(.constructed(0), DER.element(.integer, [2])),
            DER.unsigned([0x51, 0x01]),
            algorithm,
            authority.subjectDER,
            validity,
            name,
            key.publicKey.spkiDER,
            DER.element(.constructed(3), DER.element(.sequence, extensions))
        )
        let signature = try authorityKey.sign(body, using: .ecdsaP384SHA384, encoding: .der)
        return DER.sequence(body, algorithm, DER.bitString(signature))
    }

    private static func utcTime(_ seconds: Int64) -> [UInt8] {
        let date = Date(timeIntervalSince1970: TimeInterval(seconds))
        return Array(date.formatted(.iso8601).utf8.dropFirst(2).filter { !"-:T".utf8.contains($0) })
    }

    func assertion(
        counter: UInt32,
        flags: UInt8 = 0x40,
        tail: [UInt8] = [],
        clientDataHash: [UInt8] = Self.hash
    ) throws -> [UInt8] {
        let data =
            try HashAlgorithm.sha256.hash(Array(Self.appID.utf8)) + [flags]
            + CBOREncoder.bigEndian(UInt64(counter), 4) + tail
        let nonce = try HashAlgorithm.sha256.hash(data + clientDataHash)
        let signature = try key.sign(nonce, using: .ecdsaP256SHA256, encoding: .der)
        return CBOREncoder.encode(
            CBOREncoder.map(["signature": .bytes(signature), "authenticatorData": .bytes(data)])
        )
    }

    func attestedKey(
        counter: UInt32 = 0,
        format: AttestedKeyFormat = .appleAppAttest,
        attestedExtensions: AppAttestExtensions? = nil,
        receipt: [UInt8]? = nil
    ) -> AttestedKey {
        AttestedKey(
            keyID: keyID,
            publicKey: key.publicKey,
            format: format,
            appID: Self.appID,
            environment: .production,
            counter: counter,
            attestedExtensions: attestedExtensions,
            receipt: receipt
        )
    }

    func verifier(
        extensions: AppAttestExtensionPolicy = .any,
        time: Int64 = Self.now
    ) throws -> AttestationVerifier {
        try AttestationVerifier(
            appIDs: [Self.appID],
            formats: [AppleAppAttestFormat(extensions: extensions, roots: [root])],
            time: .fixed(time)
        )
    }

    static func extensions(_ members: KeyValuePairs<String, CBORValue>) -> [UInt8] {
        CBOREncoder.encode(CBOREncoder.map(members))
    }
}

import AppAttestation
import Cryptography
import Testing

@Suite("Keys that vouch for themselves") struct InstallationKeyTests {
    static let appID = "org.example.app"
    static let hash = [UInt8](repeating: 7, count: 32)

    /// What an attestation is made of; each part can be put wrong.
    struct Parts {
        var counter: UInt32 = 0
        var aaguid = InstallationKeyFormat.aaguid
        var algorithm: CBORValue = .negative(6)
        var credentialID: [UInt8]?
        var more: [CBORMember] = []
        var signs = true
        var key: PrivateKey
    }

    private func object(_ parts: Parts) throws -> (object: [UInt8], keyID: [UInt8]) {
        let key = parts.key
        let point = try #require(key.publicKey.x963)
        let keyID = try parts.credentialID ?? HashAlgorithm.sha256.hash(point)
        let isP256 = key.keyType == .p256
        let width = isP256 ? 32 : 48
        let cose = CBORValue.map([
            CBORMember(.unsigned(1), .unsigned(2)),
            CBORMember(.unsigned(3), isP256 ? .negative(6) : .negative(34)),
            CBORMember(.negative(0), .unsigned(isP256 ? 1 : 2)),
            CBORMember(.negative(1), .bytes(Array(point[1..<(1 + width)]))),
            CBORMember(.negative(2), .bytes(Array(point[(1 + width)...]))),
        ])
        let data =
            try HashAlgorithm.sha256.hash(Array(Self.appID.utf8)) + [0x40]
            + CBORWriter.bigEndian(UInt64(parts.counter), width: 4) + parts.aaguid
            + CBORWriter.bigEndian(UInt64(keyID.count), width: 2) + keyID + CBORWriter.encode(cose)
        let signature = try key.sign(
            parts.signs ? data + Self.hash : [],
            using: isP256 ? .ecdsaP256SHA256 : .ecdsaP384SHA384,
            encoding: .der
        )
        let statement = [
            CBORMember(.text("alg"), parts.algorithm), CBORMember(.text("sig"), .bytes(signature)),
        ]
        let object = CBORWriter.map([
            "fmt": .text("packed"), "attStmt": .map(statement + parts.more), "authData": .bytes(data),
        ])
        return (CBORWriter.encode(object), keyID)
    }

    private func verify(_ parts: Parts) throws(AttestationError) -> VerifiedAttestation {
        let made: (object: [UInt8], keyID: [UInt8])
        do { made = try object(parts) } catch {
            throw AttestationError(.libraryFailure, "no object", underlying: error)
        }
        return try AttestationVerifier(appIDs: [Self.appID], formats: [InstallationKeyFormat()])
            .verify(made.object, keyID: made.keyID, clientDataHash: Self.hash)
    }

    @Test func oneIsTakenAndItsKeyCountsAsAppAttestsDo() throws {
        let key = try PrivateKey.generate(.p256)
        let verified = try verify(Parts(key: key))
        #expect(verified.key.publicKey == key.publicKey && verified.key.scheme == .appAttest)
        #expect(verified.certificates.isEmpty && verified.receipt == nil)
        #expect(InstallationKeyFormat.aaguid.count == 16)
    }

    /// One verifier for both formats that are called `packed`, in either order.
    @Test(arguments: [false, true]) func oneVerifierReadsBothPackedFormats(isReversed: Bool) throws {
        let formats: [any AttestationFormat] = [
            InstallationKeyFormat(), try PackedFormat(roots: [], allowsSelfAttestation: true),
        ]
        let verifier = try AttestationVerifier(
            appIDs: [Self.appID],
            formats: isReversed ? formats.reversed() : formats
        )
        func verify(_ parts: Parts) throws -> VerifiedAttestation {
            let (object, keyID) = try object(parts)
            return try verifier.verify(object, keyID: keyID, clientDataHash: Self.hash)
        }
        var parts = Parts(key: try .generate(.p256))
        #expect(try verify(parts).key.scheme == .appAttest)
        // The rules of the own format hold for its AAGUID, whatever else is there.
        parts.counter = 1
        #expect(throws: AttestationError.self) { try verify(parts) }
        parts.aaguid = [UInt8](repeating: 0, count: 16)
        parts.credentialID = [1, 2, 3]
        let other = try verify(parts)
        #expect(other.key.scheme == .webAuthn && other.key.counter == 1 && other.key.keyID == [1, 2, 3])
    }

    /// A format that takes any statement, and leaves the rest to the verifier.
    private struct Lenient: AttestationFormat {
        let name = "packed"
        let authenticators: Set<[UInt8]>?

        func verify(_ context: AttestationContext) throws(AttestationError) -> AttestationEvidence {
            try PackedFormat(roots: [], allowsSelfAttestation: true).verify(context)
        }
    }

    /// Also where it is the one format of the name, and checks nothing itself.
    @Test func aFormatTakesItsAuthenticatorsAlone() throws {
        let (object, keyID) = try object(Parts(key: try .generate(.p256)))
        let strange: Set<[UInt8]> = [[UInt8](repeating: 7, count: 16)]
        for (authenticators, code) in [
            (strange, AttestationError.Code.unknownAuthenticator), ([], .unknownAuthenticator),
            (strange.union([InstallationKeyFormat.aaguid]), nil), (nil, nil),
        ] as [(Set<[UInt8]>?, AttestationError.Code?)] {
            let verifier = try AttestationVerifier(
                appIDs: [Self.appID],
                formats: [Lenient(authenticators: authenticators)]
            )
            let result = Result {
                try verifier.verify(object, keyID: keyID, clientDataHash: Self.hash)
            }
            switch result {
            case .success: #expect(code == nil)
            case .failure(let error): #expect((error as? AttestationError)?.code == code)
            }
        }
    }

    @Test func aKeyIdentifierThatIsNotGivenIsTheObjects() throws {
        var parts = Parts(key: try .generate(.p256))
        let verifier = try AttestationVerifier(appIDs: [Self.appID], formats: [InstallationKeyFormat()])
        let (object, keyID) = try object(parts)
        #expect(try verifier.verify(object, keyID: nil, clientDataHash: Self.hash).key.keyID == keyID)
        parts.credentialID = [UInt8](repeating: 1, count: 32)
        let foreign = try self.object(parts).object
        let error = try #require(throws: AttestationError.self) {
            try verifier.verify(foreign, keyID: nil, clientDataHash: Self.hash)
        }
        #expect(error.code == .keyIDMismatch)
    }

    static let faults: [(AttestationError.Code, @Sendable (inout Parts) throws -> Void)] = [
        (.counterNotZero, { $0.counter = 1 }),
        (.unknownAuthenticator, { $0.aaguid[15] ^= 1 }),
        (.invalidSignature, { $0.signs = false }),
        (.keyIDMismatch, { $0.credentialID = [UInt8](repeating: 1, count: 32) }),
        (.unsupportedAlgorithm, { $0.algorithm = .negative(34) }),
        (
            .unsupportedAlgorithm,
            {
                $0.key = try .generate(.p384)
                $0.algorithm = .negative(34)
            }
        ),
        (.malformedStatement, { $0.more = [CBORMember(.text("x5c"), .array([]))] }),
    ]

    @Test(arguments: 0..<7) func anythingElseIsRefused(index: Int) throws {
        let (code, change) = Self.faults[index]
        var parts = Parts(key: try .generate(.p256))
        try change(&parts)
        let error = try #require(throws: AttestationError.self) { try verify(parts) }
        #expect(error.code == code)
    }
}

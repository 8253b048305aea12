/// The authenticator data of WebAuthn Level 3, section 6.1, which App Attest uses too.
public struct AuthenticatorData: Sendable, Hashable {
    /// The octets as they were signed.
    public let bytes: [UInt8]
    /// The SHA-256 of the app identifier, or of a relying party's domain: 32 octets.
    public let relyingPartyIDHash: [UInt8]
    /// The eight flags, as they stand.
    public let flags: UInt8
    /// The number of signatures the key has made, as far as the authenticator counts them.
    public let counter: UInt32
    /// The new key; nil in an assertion.
    public private(set) var credential: AttestedCredential?
    /// The extensions, a map of CBOR; nil when there are none.
    public let extensions: CBORValue?

    /// Whether a person was there (flag UP).
    public var isUserPresent: Bool { flags & 0x01 != 0 }
    /// Whether the person was verified (flag UV).
    public var isUserVerified: Bool { flags & 0x04 != 0 }

    private static let hasCredential: UInt8 = 0x40
    private static let hasExtensions: UInt8 = 0x80

    /// Takes the data of an attestation apart: they come without the credential, whose key is not read yet.
    ///
    /// Whether there are extensions is told by the octets that are left, because objects with them and with a clear flag ED
    /// exist. A set flag without them is refused.
    static func taken(
        apart bytes: [UInt8]
    ) throws(AttestationError) -> (
        data: AuthenticatorData, aaguid: [UInt8], credentialID: [UInt8], key: CBORValue
    ) {
        guard bytes.count >= 55, bytes[32] & hasCredential != 0 else { throw malformed() }
        let identifierEnd = 55 + (Int(bytes[53]) << 8 | Int(bytes[54]))
        // WebAuthn Level 3, section 7.1: an identifier has 1023 octets at most.
        guard identifierEnd > 55, identifierEnd <= 55 + 1023, identifierEnd < bytes.count else {
            throw malformed()
        }
        let tail = Array(bytes[identifierEnd...])
        let key: CBORValue
        let extensions: CBORValue?
        do throws(CBORFault) {
            var reader = try CBORReader(tail, limits: limits)
            key = try reader.readValue()
            extensions = reader.isAtEnd ? nil : try reader.readValue()
            try reader.finish()
        } catch { throw malformed(error) }
        let data = try AuthenticatorData(bytes, extensions: extensions)
        return (data, Array(bytes[37..<53]), Array(bytes[55..<identifierEnd]), key)
    }

    /// The same data with the credential that they introduce.
    func with(_ credential: AttestedCredential) -> AuthenticatorData {
        var data = self
        data.credential = credential
        return data
    }

    /// Reads the data of an assertion.
    ///
    /// App Attest sets the flag AT in assertions although no credential follows, so the flag says nothing here.
    package init(assertion bytes: [UInt8]) throws(AttestationError) {
        guard bytes.count >= 37 else { throw Self.malformed() }
        var extensions: CBORValue?
        if bytes.count > 37 {
            do throws(CBORFault) {
                extensions = try CBORValue(decoding: Array(bytes[37...]), limits: Self.limits)
            } catch { throw Self.malformed(error) }
        }
        try self.init(bytes, extensions: extensions)
    }

    private init(_ bytes: [UInt8], extensions: CBORValue?) throws(AttestationError) {
        let isMap = extensions?.members != nil
        guard isMap || (extensions == nil && bytes[32] & Self.hasExtensions == 0) else {
            throw Self.malformed()
        }
        self.bytes = bytes
        relyingPartyIDHash = Array(bytes[..<32])
        flags = bytes[32]
        counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        credential = nil
        self.extensions = extensions
    }

    private static let limits = CBORLimits(maximumSize: 8192, maximumDepth: 8)

    private static func malformed(_ fault: CBORFault? = nil) -> AttestationError {
        AttestationError(
            .malformedAuthenticatorData,
            "the authenticator data are not in their form",
            underlying: fault
        )
    }
}

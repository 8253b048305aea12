/// The other forms of a public key; each goes through the checks of ``PublicKey/init(der:)``.
extension PublicKey {
    /// Reads one PEM block with the label PUBLIC KEY, or RSA PUBLIC KEY of PKCS #1, and nothing around it.
    ///
    /// - Throws: ``CryptographyError`` with code `invalidPEM`, or those of ``init(der:)``.
    public convenience init(pem: String) throws(CryptographyError) {
        let block = try PEM(pem)
        switch block.label {
        case "PUBLIC KEY": try self.init(der: block.bytes)
        case "RSA PUBLIC KEY":
            let numbers = try SubjectPublicKeyInfo.rsaNumbers(block.bytes[...])
            try self.init(modulus: Array(numbers.modulus), exponent: Array(numbers.exponent))
        default: throw CryptographyError(.invalidPEM, "the PEM block is not a PUBLIC KEY")
        }
    }

    /// Reads a point in the uncompressed form of X9.63: 4, x, y; 65 octets for P-256, 97 for P-384 and 133 for
    /// P-521.
    ///
    /// - Throws: ``CryptographyError`` with code `invalidKey` for any other length or a point off the curve, and
    ///   `unsupportedKey` for a type that is no such curve.
    public convenience init(x963 point: [UInt8], curve: KeyType) throws(CryptographyError) {
        let name: [UInt8]
        switch curve {
        case .p256: name = DER.ObjectIdentifier.p256
        case .p384: name = DER.ObjectIdentifier.p384
        case .p521: name = DER.ObjectIdentifier.p521
        case .ed25519, .ed448, .rsa, .rsaPSS:
            throw CryptographyError(.unsupportedKey, "the key type has no X9.63 form")
        }
        let algorithm = DER.sequence(DER.identifier(DER.ObjectIdentifier.ecPublicKey), DER.identifier(name))
        try self.init(der: DER.sequence(algorithm, DER.bitString(point)))
    }

    /// Reads an Ed25519 key of 32 octets (RFC 8032, section 5.1.5).
    ///
    /// - Throws: ``CryptographyError`` with code `invalidKey` for another length.
    public convenience init(ed25519 key: [UInt8]) throws(CryptographyError) {
        let algorithm = DER.sequence(DER.identifier(DER.ObjectIdentifier.ed25519))
        try self.init(der: DER.sequence(algorithm, DER.bitString(key)))
    }

    /// Reads an Ed448 key of 57 octets (RFC 8032, section 5.2.5).
    ///
    /// - Throws: ``CryptographyError`` with code `invalidKey` for another length.
    public convenience init(ed448 key: [UInt8]) throws(CryptographyError) {
        let algorithm = DER.sequence(DER.identifier(DER.ObjectIdentifier.ed448))
        try self.init(der: DER.sequence(algorithm, DER.bitString(key)))
    }

    /// Makes an RSA key of its two numbers, big-endian.
    ///
    /// Leading zeros are ignored here; a format that forbids them must check before.
    ///
    /// - Throws: ``CryptographyError`` with code `invalidKey`, `weakKey` or `unsupportedKey`.
    public convenience init(modulus: [UInt8], exponent: [UInt8]) throws(CryptographyError) {
        let algorithm = DER.sequence(
            DER.identifier(DER.ObjectIdentifier.rsaEncryption),
            DER.element(.null, [])
        )
        let numbers = DER.sequence(DER.unsigned(modulus), DER.unsigned(exponent))
        try self.init(der: DER.sequence(algorithm, DER.bitString(numbers)))
    }

    /// The key as a PEM block PUBLIC KEY.
    public var pem: String { PEM(label: "PUBLIC KEY", bytes: spkiDER).text }

    /// The uncompressed point of X9.63 (4, x, y) of a key on a curve of NIST; nil for the others.
    public var x963: [UInt8]? {
        keyType.coordinateLength.map { Array(spkiDER.suffix(1 + 2 * $0)) }
    }

    /// The 32 octets of an Ed25519 key, or the 57 of an Ed448 key; nil for the others.
    public var rawRepresentation: [UInt8]? {
        switch keyType {
        case .ed25519: Array(spkiDER.suffix(32))
        case .ed448: Array(spkiDER.suffix(57))
        case .p256, .p384, .p521, .rsa, .rsaPSS: nil
        }
    }

    /// The modulus of an RSA key, big-endian without leading zeros; nil for the others.
    public var rsaModulus: [UInt8]? { rsaNumbers.map { Array($0.modulus) } }

    /// The public exponent of an RSA key, big-endian without leading zeros; nil for the others.
    public var rsaExponent: [UInt8]? { rsaNumbers.map { Array($0.exponent) } }

    /// The SHA-256 of the SubjectPublicKeyInfo, which is what pins compare (RFC 7469, section 2.4).
    ///
    /// - Throws: ``CryptographyError`` with code `libraryFailure`.
    public func spkiSHA256() throws(CryptographyError) -> [UInt8] {
        try HashAlgorithm.sha256.hash(spkiDER)
    }

    private var rsaNumbers: (modulus: ArraySlice<UInt8>, exponent: ArraySlice<UInt8>)? {
        guard keyType.modulusBits != nil, let info = try? SubjectPublicKeyInfo(spkiDER) else { return nil }
        return try? SubjectPublicKeyInfo.rsaNumbers(info.key)
    }
}

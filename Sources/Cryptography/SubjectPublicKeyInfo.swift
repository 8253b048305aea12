/// The contents of a SubjectPublicKeyInfo (RFC 5280, section 4.1), read strictly and limited to the keys in use.
struct SubjectPublicKeyInfo {
    let keyType: KeyType
    /// The content of the bit string: a point, an Ed25519 or Ed448 key, or an RSAPublicKey in DER.
    let key: ArraySlice<UInt8>

    /// - Throws: ``CryptographyError`` with code `invalidKey`, `unsupportedKey` or `weakKey`.
    init(_ der: [UInt8]) throws(CryptographyError) {
        var outer = DERReader(der)
        guard var fields = outer.read(.sequence).map(DERReader.init), outer.isAtEnd,
            var algorithm = fields.read(.sequence).map(DERReader.init),
            let identifier = algorithm.read(.objectIdentifier),
            let key = fields.readBitString(), fields.isAtEnd
        else { throw Self.malformed }
        self.key = key
        switch Array(identifier) {
        case DER.ObjectIdentifier.ecPublicKey:
            keyType = try Self.curve(&algorithm, pointLength: key.count, first: key.first)
        case DER.ObjectIdentifier.ed25519:
            guard algorithm.isAtEnd, key.count == 32 else { throw Self.malformed }
            keyType = .ed25519
        case DER.ObjectIdentifier.ed448:
            guard algorithm.isAtEnd, key.count == 57 else { throw Self.malformed }
            keyType = .ed448
        case DER.ObjectIdentifier.rsaEncryption:
            guard let null = algorithm.read(.null), null.isEmpty, algorithm.isAtEnd else {
                throw Self.malformed
            }
            keyType = .rsa(bits: try Self.modulusBits(key))
        case DER.ObjectIdentifier.rsassaPSS:
            let hash = try PSSParameters.hash(&algorithm)
            keyType = .rsaPSS(bits: try Self.modulusBits(key), hash: hash)
        default:
            throw CryptographyError(.unsupportedKey, "the key's algorithm is not EC, Ed25519, Ed448 or RSA")
        }
    }

    private static func modulusBits(_ key: ArraySlice<UInt8>) throws(CryptographyError) -> Int {
        let numbers = try rsaNumbers(key)
        try RSAPolicy.check(modulus: numbers.modulus, exponent: numbers.exponent)
        return RSAPolicy.bitCount(numbers.modulus)
    }

    static func rsaNumbers(
        _ key: ArraySlice<UInt8>
    ) throws(CryptographyError) -> (modulus: ArraySlice<UInt8>, exponent: ArraySlice<UInt8>) {
        var outer = DERReader(key)
        guard var numbers = outer.read(.sequence).map(DERReader.init), outer.isAtEnd,
            let modulus = numbers.readUnsigned(), let exponent = numbers.readUnsigned(), numbers.isAtEnd
        else { throw malformed }
        return (modulus, exponent)
    }

    private static func curve(
        _ algorithm: inout DERReader,
        pointLength: Int,
        first: UInt8?
    ) throws(CryptographyError) -> KeyType {
        guard algorithm.nextTag == .objectIdentifier else {
            throw CryptographyError(.unsupportedKey, "a curve must be named, not given by its parameters")
        }
        guard let name = algorithm.read(.objectIdentifier), algorithm.isAtEnd else { throw malformed }
        let type: KeyType
        switch Array(name) {
        case DER.ObjectIdentifier.p256: type = .p256
        case DER.ObjectIdentifier.p384: type = .p384
        case DER.ObjectIdentifier.p521: type = .p521
        default: throw CryptographyError(.unsupportedKey, "the curve is not P-256, P-384 or P-521")
        }
        guard let width = type.coordinateLength, pointLength == 1 + 2 * width, first == 0x04 else {
            throw CryptographyError(.invalidKey, "the point is not in the uncompressed form of its curve")
        }
        return type
    }

    private static let malformed = CryptographyError(
        .invalidKey,
        "the octets are not a SubjectPublicKeyInfo in DER"
    )
}

/// What a key for RSASSA-PSS demands of its signatures (RFC 4055, section 3.1).
enum PSSParameters {
    /// Reads what stands after the identifier of the algorithm: nothing, or one hash of SHA-2 for message and mask.
    ///
    /// - Returns: The hash that the key is bound to; nil when it is bound to none.
    /// - Throws: ``CryptographyError`` with code `unsupportedKey` for SHA-1, which parameters that leave the hash out mean,
    ///   for a mask of another hash and for a salt that is longer than the hash.
    static func hash(_ algorithm: inout DERReader) throws(CryptographyError) -> HashAlgorithm? {
        guard !algorithm.isAtEnd else { return nil }
        guard var fields = algorithm.read(.sequence).map(DERReader.init), algorithm.isAtEnd,
            var outer = fields.read(.constructed(0)).map(DERReader.init), let hash = readHash(&outer),
            outer.isAtEnd,
            var mask = fields.read(.constructed(1)).map(DERReader.init),
            var generator = mask.read(.sequence).map(DERReader.init), mask.isAtEnd,
            let identifier = generator.read(.objectIdentifier),
            Array(identifier) == DER.ObjectIdentifier.mgf1,
            readHash(&generator) == hash, generator.isAtEnd
        else { throw unsupported }
        // Left out it is 20, which is shorter than every hash above.
        guard !fields.isAtEnd else { return hash }
        guard var salt = fields.read(.constructed(2)).map(DERReader.init), let octets = salt.readUnsigned(),
            salt.isAtEnd, fields.isAtEnd, octets.count == 1, let length = octets.first,
            length <= hash.digestLength
        else { throw unsupported }
        return hash
    }

    private static func readHash(_ reader: inout DERReader) -> HashAlgorithm? {
        // NULL, which is what OpenSSL writes too: one form for each key.
        guard var fields = reader.read(.sequence).map(DERReader.init),
            let identifier = fields.read(.objectIdentifier), let null = fields.read(.null), null.isEmpty,
            fields.isAtEnd
        else { return nil }
        return switch Array(identifier) {
        case DER.ObjectIdentifier.sha256: .sha256
        case DER.ObjectIdentifier.sha384: .sha384
        case DER.ObjectIdentifier.sha512: .sha512
        default: nil
        }
    }

    private static let unsupported = CryptographyError(
        .unsupportedKey,
        "the parameters of an RSASSA-PSS key must be one hash of SHA-2 for all, with a salt no longer than it"
    )
}

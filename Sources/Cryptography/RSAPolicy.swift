/// Which RSA public keys are taken.
enum RSAPolicy {
    static let modulusBits = 2048...8192

    /// Refuses keys that are weak, or made to be slow.
    ///
    /// - Parameters:
    ///   - modulus: The modulus, big-endian without leading zeros.
    ///   - exponent: The public exponent, likewise.
    /// - Throws: ``CryptographyError`` with code `weakKey`, `unsupportedKey` or `invalidKey`.
    static func check(
        modulus: ArraySlice<UInt8>,
        exponent: ArraySlice<UInt8>
    ) throws(CryptographyError) {
        let bits = bitCount(modulus)
        guard bits >= modulusBits.lowerBound else {
            throw CryptographyError(.weakKey, "an RSA key below 2048 bits is refused")
        }
        guard bits <= modulusBits.upperBound else {
            throw CryptographyError(.unsupportedKey, "an RSA key above 8192 bits is refused")
        }
        guard let lastOfModulus = modulus.last, !lastOfModulus.isMultiple(of: 2),
            let lastOfExponent = exponent.last, !lastOfExponent.isMultiple(of: 2)
        else { throw CryptographyError(.invalidKey, "an RSA modulus and exponent must be odd") }
        guard exponent.count > 1 || lastOfExponent >= 3 else {
            throw CryptographyError(.weakKey, "an RSA exponent of 1 signs nothing")
        }
        // A long exponent has no use and makes each verification slow; OpenSSL has the same limit for large moduli.
        guard exponent.count <= 8 else {
            throw CryptographyError(.unsupportedKey, "an RSA exponent above 64 bits is refused")
        }
        guard !hasInfineonFingerprint(modulus) else {
            throw CryptographyError(
                .weakKey,
                "the RSA key comes from a generator with a known flaw (CVE-2017-15361)"
            )
        }
    }

    static func bitCount(_ bigEndian: ArraySlice<UInt8>) -> Int {
        guard let first = bigEndian.first else { return 0 }
        return bigEndian.count * 8 - first.leadingZeroBitCount
    }

    /// Whether a modulus is of the form that the flawed Infineon generator makes ("ROCA").
    ///
    /// Its primes are powers of 65537 modulo the product of the first primes, so the modulus is one modulo each of them.
    /// A sound modulus passes all of these tests with a chance of about one in 2^28.
    private static func hasInfineonFingerprint(_ modulus: ArraySlice<UInt8>) -> Bool {
        for prime in fingerprintPrimes {
            var remainder = 0
            for octet in modulus { remainder = (remainder << 8 | Int(octet)) % prime }
            var power = 1
            var isPower = false
            repeat {
                isPower = isPower || power == remainder
                power = power * 65537 % prime
            } while power != 1
            guard isPower else { return false }
        }
        return true
    }

    /// The primes up to 167 (the set for keys of 512 bits and more) of which 65537 does not generate everything.
    private static let fingerprintPrimes = [
        11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157,
    ]
}

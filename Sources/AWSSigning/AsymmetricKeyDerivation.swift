internal import Cryptography

/// The P-256 key that SigV4a derives from a secret: NIST SP 800-108 in counter mode, until the number is in range.
enum AsymmetricKeyDerivation {
    /// The order of P-256 less two: the largest candidate, to which one is added.
    private static let limit: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x4F,
    ]

    /// - Throws: ``AWSSigningError`` with code `cryptographyFailed`.
    static func key(for credentials: AWSCredentials) throws(AWSSigningError) -> PrivateKey {
        let key = try AWSSigningError.cryptography { () throws(CryptographyError) in
            let secret = SigningKey.prefixed("AWS4A", credentials.secretAccessKey)
            let key = try HMACKey(secret, .sha256)
            for counter in UInt8(1)...254 {
                var candidate = try key.authenticationCode(
                    for: input(accessKeyID: credentials.accessKeyID, counter: counter)
                )
                guard let scalar = scalar(moving: &candidate) else { continue }
                return try PrivateKey?.some(PrivateKey(der: document(of: scalar)))
            }
            return nil
        }
        guard let key else {
            throw AWSSigningError(.cryptographyFailed, "no key could be derived from the secret")
        }
        return key
    }

    /// Counter, label, zero, context and length; the context is the access key and an outer counter.
    private static func input(accessKeyID: String, counter: UInt8) -> [UInt8] {
        [0, 0, 0, 1] + Array("AWS4-ECDSA-P256-SHA256".utf8) + [0] + Array(accessKeyID.utf8)
            + [counter, 0, 0, 1, 0]
    }

    /// The candidate plus one, or nil when it is above the limit; no step depends on the digits.
    ///
    /// The candidate is cleared in either case: it is the one array that ever holds the number.
    static func scalar(moving candidate: inout [UInt8]) -> SecretBytes? {
        defer { SecretBytes.clear(&candidate) }
        guard candidate.count == limit.count else { return nil }
        var borrow = 0
        for index in candidate.indices.reversed() {
            borrow = (Int(limit[index]) - Int(candidate[index]) - borrow) >> 8 & 1
        }
        var carry = 1
        for index in candidate.indices.reversed() {
            carry += Int(candidate[index])
            candidate[index] = UInt8(truncatingIfNeeded: carry)
            carry >>= 8
        }
        return borrow == 0 ? SecretBytes(candidate) : nil
    }

    /// ECPrivateKey of RFC 5915 without the public point, which OpenSSL computes.
    private static func document(of scalar: SecretBytes) -> SecretBytes {
        var octets: [UInt8] = []
        octets.reserveCapacity(51)
        octets += [0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20]
        scalar.withBytes { for index in $0.indices { octets.append($0[index]) } }
        octets += [0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        return SecretBytes(moving: &octets)
    }
}

internal import Cryptography

/// The key of one scheme, ready to sign.
enum SigningKey: Sendable {
    /// The SigV4 key of one day, region and service.
    case hmac(HMACKey)
    /// The SigV4a key of one pair of credentials.
    case ecdsa(PrivateKey)

    /// Derives the key for credentials.
    ///
    /// - Throws: ``AWSSigningError`` with code `cryptographyFailed`.
    init(
        _ credentials: AWSCredentials,
        scheme: SignatureScheme,
        day: ArraySlice<UInt8>,
        profile: ServiceProfile
    ) throws(AWSSigningError) {
        guard scheme.regionSet == nil else {
            self = .ecdsa(try AsymmetricKeyDerivation.key(for: credentials))
            return
        }
        let parts = [
            Array(day), Array(profile.region.utf8), Array(profile.service.utf8), Array("aws4_request".utf8),
        ]
        self = .hmac(
            try AWSSigningError.cryptography { () throws(CryptographyError) in
                var key = try HMACKey(Self.prefixed("AWS4", credentials.secretAccessKey), .sha256)
                for part in parts {
                    var code = try key.authenticationCode(for: part)
                    key = try HMACKey(SecretBytes(moving: &code), .sha256)
                }
                return key
            }
        )
    }

    /// The signature of a string; one of SigV4a is another each time.
    func sign(_ text: [UInt8]) throws(AWSSigningError) -> [UInt8] {
        try AWSSigningError.cryptography { () throws(CryptographyError) in
            switch self {
            case .hmac(let key): try key.authenticationCode(for: text)
            case .ecdsa(let key): try key.sign(text, using: .ecdsaP256SHA256, encoding: .der)
            }
        }
    }

    /// A fixed text before a secret.
    static func prefixed(_ prefix: StaticString, _ secret: SecretBytes) -> SecretBytes {
        var octets: [UInt8] = []
        octets.reserveCapacity(prefix.utf8CodeUnitCount + secret.count)
        octets.append(contentsOf: prefix.description.utf8)
        secret.withBytes { for index in $0.indices { octets.append($0[index]) } }
        return SecretBytes(moving: &octets)
    }
}

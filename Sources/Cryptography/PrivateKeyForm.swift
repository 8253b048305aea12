internal import COpenSSL

/// The structures that a private key in DER can be, told apart by their first elements.
///
/// OpenSSL's own guessing would try an encrypted form too and ask for a password on the terminal. Here each form goes
/// to its one decoder.
enum PrivateKeyForm {
    /// PrivateKeyInfo of RFC 5208: version, algorithm, octets.
    case pkcs8
    /// ECPrivateKey of RFC 5915: version, octets.
    case sec1
    /// RSAPrivateKey of RFC 8017: version, modulus.
    case pkcs1

    /// - Throws: ``CryptographyError`` with code `encryptedKey` or `invalidKey`.
    init(_ der: SecretBytes) throws(CryptographyError) {
        // Tags alone decide, and they stand in the first dozen octets, before anything secret.
        let (isWhole, tags) = der.withBytes(Self.firstTags)
        guard isWhole, let first = tags.first else {
            throw CryptographyError(.invalidKey, "the octets are not one DER structure")
        }
        switch (first, tags.dropFirst().first) {
        case (DER.Tag.sequence.octet, _):
            throw CryptographyError(.encryptedKey, "the private key is encrypted")
        case (DER.Tag.integer.octet, DER.Tag.sequence.octet): self = .pkcs8
        case (DER.Tag.integer.octet, DER.Tag.octetString.octet): self = .sec1
        case (DER.Tag.integer.octet, DER.Tag.integer.octet): self = .pkcs1
        default: throw CryptographyError(.invalidKey, "the octets are not a private key in a known form")
        }
    }

    /// Whether the octets are one sequence and nothing else, and the tags of its first two elements.
    private static func firstTags(_ bytes: Span<UInt8>) -> (isWhole: Bool, tags: [UInt8]) {
        var prefix: [UInt8] = []
        for offset in 0..<min(bytes.count, 5) { prefix.append(bytes[offset]) }
        guard prefix.count >= 2, prefix[0] == DER.Tag.sequence.octet else { return (false, []) }
        var start = 2
        var length = Int(prefix[1])
        if prefix[1] >= 0x80 {
            let width = Int(prefix[1] & 0x7F)
            guard (1...3).contains(width), prefix.count >= 2 + width else { return (false, []) }
            start += width
            length = prefix[2..<start].reduce(0) { $0 << 8 | Int($1) }
        }
        guard bytes.count == start + length, length > 0 else { return (false, []) }
        // The first element is a version, which is one octet, in every form that is taken.
        let second = start + 3
        return (true, second < bytes.count ? [bytes[start], bytes[second]] : [bytes[start]])
    }

    /// What PEM calls the form (RFC 7468, section 10; RFC 5915, section 4).
    var label: String {
        switch self {
        case .pkcs8: "PRIVATE KEY"
        case .sec1: "EC PRIVATE KEY"
        case .pkcs1: "RSA PRIVATE KEY"
        }
    }

    /// Decodes all the octets as this form.
    func decode(_ der: SecretBytes) throws(CryptographyError) -> KeyHandle {
        let pointer: OpaquePointer? = unsafe der.withPointer { start in
            var next: UnsafePointer<UInt8>? = unsafe start
            let key = unsafe decode(&next, der.count)
            guard let key = unsafe key else { return nil }
            guard unsafe next == start + der.count else {
                unsafe EVP_PKEY_free(key)
                return nil
            }
            return unsafe key
        }
        guard let pointer = unsafe pointer else {
            throw OpenSSLErrors.failure("decoding the private key", .invalidKey)
        }
        return unsafe KeyHandle(adopting: pointer)
    }

    private func decode(_ next: inout UnsafePointer<UInt8>?, _ count: Int) -> OpaquePointer? {
        switch self {
        case .pkcs8:
            guard let info = unsafe d2i_PKCS8_PRIV_KEY_INFO(nil, &next, count) else { return nil }
            defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
            return unsafe EVP_PKCS82PKEY(info)
        case .sec1: return unsafe d2i_PrivateKey(EVP_PKEY_EC, nil, &next, count)
        case .pkcs1: return unsafe d2i_PrivateKey(EVP_PKEY_RSA, nil, &next, count)
        }
    }
}

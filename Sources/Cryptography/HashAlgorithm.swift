internal import COpenSSL

/// A hash function of FIPS 180-4.
public enum HashAlgorithm: Sendable, Hashable, CaseIterable {
    /// SHA-256: 32 octets.
    case sha256
    /// SHA-384: 48 octets.
    case sha384
    /// SHA-512: 64 octets.
    case sha512

    /// The length of a digest in octets.
    public var digestLength: Int {
        switch self {
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// Hashes octets in one call.
    ///
    /// - Returns: The digest, ``digestLength`` octets.
    /// - Throws: ``CryptographyError`` with code `libraryFailure` when OpenSSL has no such hash or no memory.
    public func hash(_ bytes: [UInt8]) throws(CryptographyError) -> [UInt8] {
        try hash(bytes.span)
    }

    /// Hashes octets that stand in other storage, without a copy.
    ///
    /// The rules are those of ``hash(_:)-([UInt8])``.
    public func hash(_ bytes: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
        guard let method = unsafe DigestMethods.method(for: self) else {
            throw OpenSSLErrors.failure("EVP_MD_fetch")
        }
        let digest = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe OutputBytes.fill(capacity: digestLength) { output in
                var length: UInt32 = 0
                let status = unsafe EVP_Digest(input.baseAddress, input.count, output, &length, method, nil)
                return status == 1 ? Int(length) : nil
            }
        }
        guard let digest else { throw OpenSSLErrors.failure("EVP_Digest") }
        return digest
    }

    /// The SHA-256 of octets without an array around it, for a digest that is written elsewhere at once.
    ///
    /// - Throws: ``CryptographyError`` with code `libraryFailure`.
    package static func sha256(
        of bytes: Span<UInt8>
    ) throws(CryptographyError) -> InlineArray<32, UInt8> {
        guard let method = unsafe DigestMethods.method(for: .sha256) else {
            throw OpenSSLErrors.failure("EVP_MD_fetch")
        }
        var digest = InlineArray<32, UInt8>(repeating: 0)
        var room = digest.mutableSpan
        let status = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe room.withUnsafeMutableBufferPointer { output in
                unsafe EVP_Digest(input.baseAddress, input.count, output.baseAddress, nil, method, nil)
            }
        }
        try OpenSSLErrors.check(status, "EVP_Digest")
        return digest
    }
}

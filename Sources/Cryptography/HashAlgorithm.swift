internal import Encodings
internal import Locking

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
        let digest = try digest(of: bytes)
        return OctetWriter.array(capacity: digestLength) {
            $0.append(digest.span.extracting(first: digestLength))
        }
    }

    // nil only where there is no memory for it.
    private static let shared = Mutex<KeptHasher?>(try? KeptHasher())

    /// The digest of octets without an array around it, at the start of room for the longest.
    ///
    /// Calls share a hasher; one that finds it taken makes its own and waits for nobody.
    ///
    /// - Throws: ``CryptographyError`` with code `libraryFailure`.
    package func digest(of bytes: Span<UInt8>) throws(CryptographyError) -> InlineArray<64, UInt8> {
        let digest = try Self.shared.withLockIfAvailable { hasher throws(CryptographyError) in
            try hasher?.digest(of: bytes, self)
        }
        if let digest = digest ?? nil { return digest }
        return try KeptHasher().digest(of: bytes, self)
    }
}

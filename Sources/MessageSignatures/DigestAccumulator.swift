internal import Cryptography

/// Digests of content that comes in pieces, such as a file or a stream (RFC 9530).
///
/// ```swift
/// var accumulator = try DigestAccumulator.start(using: [.sha256])
/// while let piece = try nextPiece() { try accumulator.update(piece) }
/// let field = try accumulator.finish()
/// ```
///
/// Where the pieces end does not count, only the octets and their order.
public struct DigestAccumulator: ~Copyable {
    private var sha256: IncrementalHash?
    private var sha512: IncrementalHash?

    /// Starts with no octets.
    ///
    /// - Parameter algorithms: The algorithms, at least one.
    /// - Returns: The accumulator, which takes octets until it is finished.
    /// - Throws: ``SignatureError`` with code `noSupportedDigestAlgorithm` when none is named, or `cryptographyFailure`.
    public static func start(
        using algorithms: Set<DigestAlgorithm> = [.sha256]
    ) throws(SignatureError) -> DigestAccumulator {
        guard !algorithms.isEmpty else { throw DigestField.noAlgorithm }
        var accumulator = DigestAccumulator()
        do throws(CryptographyError) {
            if algorithms.contains(.sha256) { accumulator.sha256 = try IncrementalHash.start(.sha256) }
            if algorithms.contains(.sha512) { accumulator.sha512 = try IncrementalHash.start(.sha512) }
        } catch { throw DigestAlgorithm.failure(error) }
        return accumulator
    }

    private init() {}

    /// Adds octets.
    ///
    /// - Throws: ``SignatureError`` with code `cryptographyFailure`.
    public mutating func update(_ octets: [UInt8]) throws(SignatureError) {
        try update(octets.span)
    }

    /// Adds octets that stand in other storage, without a copy.
    public mutating func update(_ octets: Span<UInt8>) throws(SignatureError) {
        do throws(CryptographyError) {
            try sha256?.update(octets)
            try sha512?.update(octets)
        } catch { throw DigestAlgorithm.failure(error) }
    }

    /// Ends the content and gives its digests.
    ///
    /// - Throws: ``SignatureError`` with code `cryptographyFailure`.
    public consuming func finish() throws(SignatureError) -> DigestField {
        var digests: [DigestAlgorithm: [UInt8]] = [:]
        do throws(CryptographyError) {
            digests[.sha256] = try sha256.take()?.finalize()
            digests[.sha512] = try sha512.take()?.finalize()
        } catch { throw DigestAlgorithm.failure(error) }
        return DigestField(digests: digests)
    }

    /// Ends the content and checks that every known digest of a field is the one of it.
    ///
    /// - Parameters:
    ///   - field: The field. All its algorithms must be among those that the accumulator was started with.
    ///   - minimum: The weakest algorithm that counts; a digest of it or of a stronger one must be there.
    /// - Throws: ``SignatureError`` with code `noSupportedDigestAlgorithm`, also for a digest that was not made here, or
    ///   `contentDigestMismatch`.
    public consuming func check(
        _ field: DigestField,
        minimum: DigestAlgorithm = .sha256
    ) throws(SignatureError) {
        let made = try finish()
        try field.check(minimum: minimum) { algorithm throws(SignatureError) in
            guard let digest = made.digests[algorithm] else { throw DigestField.noAlgorithm }
            return digest
        }
    }
}

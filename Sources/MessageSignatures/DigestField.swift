internal import Cryptography
internal import Encodings
internal import StructuredFields

/// The value of `Content-Digest` or `Repr-Digest` (RFC 9530).
///
/// `Content-Digest` is over the octets of the content, as they are sent; `Repr-Digest` is over the whole
/// representation. Content that is empty has a digest like any other.
public struct DigestField: Sendable, Hashable {
    /// The digests of the algorithms that are known here.
    public let digests: [DigestAlgorithm: [UInt8]]

    /// Makes the digests of some octets.
    ///
    /// - Parameters:
    ///   - octets: The content, or the representation.
    ///   - algorithms: The algorithms, at least one.
    /// - Throws: ``SignatureError`` with code `noSupportedDigestAlgorithm` when none is named, or `cryptographyFailure`.
    public init(
        of octets: [UInt8],
        using algorithms: Set<DigestAlgorithm> = [.sha256]
    ) throws(SignatureError) {
        guard !algorithms.isEmpty else { throw Self.noAlgorithm }
        var digests: [DigestAlgorithm: [UInt8]] = [:]
        for algorithm in algorithms { digests[algorithm] = try algorithm.digest(of: octets) }
        self.digests = digests
    }

    init(digests: [DigestAlgorithm: [UInt8]]) {
        self.digests = digests
    }

    /// Reads a field, its lines joined with commas.
    ///
    /// Members of other algorithms are passed over, but must be byte sequences too.
    ///
    /// Of an algorithm that stands twice the last digest counts (RFC 9651, section 4.2.2).
    ///
    /// - Throws: ``SignatureError`` with code `malformedContentDigest` for anything but a dictionary of byte sequences;
    ///   `limitExceeded` for a field beyond 1 MiB.
    public init(parsing octets: [UInt8]) throws(SignatureError) {
        try self.init(parsing: octets, limits: SignatureLimits())
    }

    package init(parsing octets: [UInt8], limits: SignatureLimits) throws(SignatureError) {
        let dictionary: FieldDictionary
        do throws(StructuredFieldError) {
            dictionary = try limits.parser().parseDictionary(octets)
        } catch {
            throw SignatureError(
                error.isLimit ? .limitExceeded : .malformedContentDigest,
                "the digest field is not a dictionary",
                underlying: error
            )
        }
        var digests: [DigestAlgorithm: [UInt8]] = [:]
        for (key, member) in dictionary {
            guard let digest = member.item?.bareItem.bytes else {
                throw SignatureError(.malformedContentDigest, "a digest is not a byte sequence")
            }
            if let algorithm = DigestAlgorithm(rawValue: key) { digests[algorithm] = digest }
        }
        self.digests = digests
    }

    /// The text of the field, the weaker digest first.
    public var serialized: String {
        OctetWriter.text { output in
            for algorithm in DigestAlgorithm.allCases {
                if let digest = digests[algorithm] { Self.append(algorithm, digest.span, to: &output) }
            }
        }
    }

    /// The text of the field for some content, in one go: what ``serialized`` gives for ``init(of:using:)``.
    static func text(
        for content: [UInt8],
        using algorithms: Set<DigestAlgorithm>
    ) throws(SignatureError) -> String {
        guard !algorithms.isEmpty else { throw noAlgorithm }
        return try OctetWriter.text { output throws(SignatureError) in
            for algorithm in DigestAlgorithm.allCases where algorithms.contains(algorithm) {
                try algorithm.withDigest(of: content) { append(algorithm, $0, to: &output) }
            }
        }
    }

    private static func append(
        _ algorithm: DigestAlgorithm,
        _ digest: Span<UInt8>,
        to output: inout OctetWriter
    ) {
        if output.count > 0 { output.append(", ") }
        output.append(algorithm.rawValue)
        output.append("=:")
        Base64.standard.append(digest, to: &output)
        output.append(UInt8(ascii: ":"))
    }

    /// Checks that every known digest is the one of some octets.
    ///
    /// - Parameters:
    ///   - octets: The content, or the representation.
    ///   - minimum: The weakest algorithm that counts; a digest of it or of a stronger one must be there.
    /// - Throws: ``SignatureError`` with code `noSupportedDigestAlgorithm` or `contentDigestMismatch`.
    public func check(
        _ octets: [UInt8],
        minimum: DigestAlgorithm = .sha256
    ) throws(SignatureError) {
        try check(minimum: minimum) { algorithm throws(SignatureError) in try algorithm.digest(of: octets) }
    }

    /// Checks every known digest against the one that a closure gives for its algorithm.
    func check(
        minimum: DigestAlgorithm,
        digest: (DigestAlgorithm) throws(SignatureError) -> [UInt8]
    ) throws(SignatureError) {
        guard digests.keys.contains(where: { $0 >= minimum }) else { throw Self.noAlgorithm }
        for (algorithm, stated) in digests {
            guard ConstantTime.equal(stated, try digest(algorithm)) else {
                throw SignatureError(.contentDigestMismatch, "a digest is not the one of the content")
            }
        }
    }

    static var noAlgorithm: SignatureError {
        SignatureError(.noSupportedDigestAlgorithm, "there is no digest of an algorithm that is taken")
    }
}

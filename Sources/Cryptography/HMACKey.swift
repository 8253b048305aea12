/// A key for HMAC (RFC 2104) under one hash.
///
/// The key is prepared once, and each code costs the hashing of the message and little more. One value may be used from
/// many threads at a time.
public struct HMACKey: Sendable {
    /// The hash under the HMAC.
    public let algorithm: HashAlgorithm
    private let context: MACContext

    /// Prepares a key of any length; an empty one is allowed, as in RFC 2104.
    ///
    /// How long a key must be is for the protocol to say (RFC 7518, section 3.2, for tokens).
    ///
    /// - Throws: ``CryptographyError`` with code `libraryFailure`.
    public init(_ secret: SecretBytes, _ algorithm: HashAlgorithm) throws(CryptographyError) {
        self.algorithm = algorithm
        context = try MACContext.make(secret: secret, algorithm: algorithm)
    }

    /// The code for a message, as long as the hash's digest.
    ///
    /// - Throws: ``CryptographyError`` with code `libraryFailure`.
    public func authenticationCode(for message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        try authenticationCode(for: message.span)
    }

    /// The code for a message in other storage, without a copy.
    public func authenticationCode(for message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
        let code = unsafe OutputBytes.fill(capacity: algorithm.digestLength) { output in
            unsafe context.compute(message, into: output, capacity: algorithm.digestLength)
        }
        guard let code else { throw OpenSSLErrors.failure("EVP_MAC_final") }
        return code
    }

    /// Whether a code is the whole and right code for a message.
    ///
    /// Compared in constant time. A shortened code is wrong: truncation is not offered.
    ///
    /// - Throws: ``CryptographyError`` with code `libraryFailure`, never for a wrong code.
    public func isValid(_ code: [UInt8], for message: [UInt8]) throws(CryptographyError) -> Bool {
        try isValid(code.span, for: message.span)
    }

    /// Whether a code is right for a message, both in other storage, under the rules of ``isValid(_:for:)-([UInt8],_)``.
    public func isValid(_ code: Span<UInt8>, for message: Span<UInt8>) throws(CryptographyError) -> Bool {
        let length = algorithm.digestLength
        let answer: Bool? = unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { buffer in
            guard let start = buffer.baseAddress,
                unsafe context.compute(message, into: start, capacity: length) == length
            else { return nil }
            let right = UnsafeBufferPointer(buffer)
            return ConstantTime.equal(code, unsafe right.span)
        }
        guard let answer else { throw OpenSSLErrors.failure("EVP_MAC_final") }
        return answer
    }
}

extension HMACKey: CustomStringConvertible, CustomReflectable {
    /// The hash, never the key.
    public var description: String { "HMACKey(\(algorithm))" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

internal import COpenSSL

/// Comparison in a time that does not depend on where two values differ.
public enum ConstantTime {
    /// Whether two octet strings are equal.
    ///
    /// The lengths are public: different lengths answer false at once.
    public static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        equal(left.span, right.span)
    }

    /// Whether two octet strings in other storage are equal, under the rules of ``equal(_:_:)-([UInt8],_)``.
    public static func equal(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        return unsafe left.withUnsafeBufferPointer { a in
            unsafe right.withUnsafeBufferPointer { b in
                // An empty span may have no address, and C's memcmp must not see NULL.
                guard let first = a.baseAddress, let second = b.baseAddress else { return true }
                return unsafe CRYPTO_memcmp(first, second, a.count) == 0
            }
        }
    }
}

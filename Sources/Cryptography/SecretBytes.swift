internal import COpenSSL

/// Octets that are overwritten with zeros when the last reference goes.
///
/// This covers this object's own storage only. Copies that the caller made before or makes from ``withBytes(_:)`` are the
/// caller's to clear, and nothing here keeps the octets from swap or a core dump. Equality takes the same time
/// wherever two secrets of one length differ.
@safe
public final class SecretBytes: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// The number of octets.
    public let count: Int
    // nonisolated(unsafe): written only before init returns, read-only until deinit. Never empty, so never NULL for C.
    nonisolated(unsafe) private let storage: UnsafeMutablePointer<UInt8>

    /// Copies octets; the array they came from is not cleared.
    public init(_ bytes: [UInt8]) {
        count = bytes.count
        unsafe storage = Self.allocate(bytes.count)
        for (offset, byte) in bytes.enumerated() { unsafe storage[offset] = byte }
    }

    /// Moves octets out of an array: the array is overwritten with zeros and left empty.
    ///
    /// Only this array's storage is cleared, not what it may have been copied from or have outgrown.
    public convenience init(moving bytes: inout [UInt8]) {
        self.init(bytes)
        Self.clear(&bytes)
    }

    /// Octets that a C function writes; nil when it fails.
    init?(count: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Bool) {
        self.count = count
        unsafe storage = Self.allocate(count)
        // A failable init that returns nil here has all its properties, so deinit runs and clears what was written.
        guard unsafe fill(storage) else { return nil }
    }

    deinit {
        unsafe OPENSSL_cleanse(storage, count)
        unsafe storage.deallocate()
    }

    /// Makes octets from OpenSSL's private random generator.
    ///
    /// - Throws: ``CryptographyError`` with code `invalidInput` for a negative count or one above 2^31 − 1, and
    ///   `libraryFailure` when there is no entropy.
    public static func random(count: Int) throws(CryptographyError) -> SecretBytes {
        guard let length = Int32(exactly: count), length >= 0 else {
            throw CryptographyError(.invalidInput, "a count of random octets must be from 0 to 2^31 - 1")
        }
        guard let secret = unsafe SecretBytes(count: count, { unsafe RAND_priv_bytes($0, length) == 1 })
        else {
            throw OpenSSLErrors.failure("RAND_priv_bytes")
        }
        return secret
    }

    /// Lends the octets for the length of one call.
    public func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let buffer = unsafe UnsafeBufferPointer(start: storage, count: count)
        return try unsafe body(buffer.span)
    }

    /// Compares in a time that depends on the lengths only.
    public static func == (left: SecretBytes, right: SecretBytes) -> Bool {
        left.withBytes { a in right.withBytes { b in ConstantTime.equal(a, b) } }
    }

    /// The number of octets, never their values.
    public var description: String { "SecretBytes(\(count) octets)" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Lends the octets to C; the pointer is never NULL.
    func withPointer<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        unsafe body(UnsafePointer(storage))
    }

    /// Overwrites an array with zeros and empties it.
    package static func clear(_ bytes: inout [UInt8]) {
        unsafe bytes.withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) }
        bytes = []
    }

    private static func allocate(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        let pointer = UnsafeMutablePointer<UInt8>.allocate(capacity: max(count, 1))
        unsafe pointer.initialize(repeating: 0, count: max(count, 1))
        return unsafe pointer
    }
}

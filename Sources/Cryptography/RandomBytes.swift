internal import COpenSSL

/// Octets from OpenSSL's random generator, for nonces and identifiers.
///
/// For secrets use ``SecretBytes/random(count:)``, which draws from a separate generator and clears its storage.
public enum RandomBytes {
    /// Makes random octets.
    ///
    /// - Throws: ``CryptographyError`` with code `invalidInput` for a negative count or one above 2^31 − 1, and
    ///   `libraryFailure` when there is no entropy.
    public static func generate(count: Int) throws(CryptographyError) -> [UInt8] {
        guard let length = Int32(exactly: count), length >= 0 else {
            throw CryptographyError(.invalidInput, "a count of random octets must be from 0 to 2^31 - 1")
        }
        let bytes = unsafe OutputBytes.fill(capacity: count) { output in
            unsafe RAND_bytes(output, length) == 1 ? count : nil
        }
        guard let bytes else { throw OpenSSLErrors.failure("RAND_bytes") }
        return bytes
    }
}

internal import COpenSSL

/// Answers OpenSSL when it asks for a passphrase: from memory, and never by asking a person.
///
/// Without an answer of the caller's, OpenSSL would ask on the terminal.
final class PassphraseRequest {
    private let passphrase: SecretBytes?
    /// Whether OpenSSL asked and there was no passphrase.
    private(set) var isUnanswered = false

    init(_ passphrase: SecretBytes?) { self.passphrase = passphrase }

    /// Lends OpenSSL the way to ask and the context to give with it.
    func withMethod<Result>(
        _ body: (_ method: OpaquePointer, _ context: UnsafeMutableRawPointer) throws(CryptographyError) ->
            Result
    ) throws(CryptographyError) -> Result {
        guard let method = unsafe UI_UTIL_wrap_read_pem_callback(Self.callback, 0) else {
            throw OpenSSLErrors.failure("UI_UTIL_wrap_read_pem_callback")
        }
        defer { unsafe UI_destroy_method(method) }
        return try withExtendedLifetime(self) { () throws(CryptographyError) in
            try unsafe body(method, Unmanaged.passUnretained(self).toOpaque())
        }
    }

    private static let callback:
        @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) -> Int32 = {
            buffer,
            size,
            _,
            context in
            guard let context = unsafe context, let buffer = unsafe buffer else { return -1 }
            let request = unsafe Unmanaged<PassphraseRequest>.fromOpaque(context).takeUnretainedValue()
            return unsafe request.answer(buffer, Int(size))
        }

    /// Writes the passphrase and gives its length, or a negative number for "there is none", which ends the call.
    private func answer(_ buffer: UnsafeMutablePointer<CChar>, _ size: Int) -> Int32 {
        guard let passphrase, passphrase.count <= size else {
            isUnanswered = true
            return -1
        }
        passphrase.withBytes { bytes in
            for offset in 0..<bytes.count { unsafe buffer[offset] = CChar(bitPattern: bytes[offset]) }
        }
        return Int32(passphrase.count)
    }
}

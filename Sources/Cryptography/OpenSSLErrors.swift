internal import COpenSSL

/// OpenSSL's error queue of the current thread.
///
/// The queue outlives the call that filled it, so whoever sees a failure empties it at once. What stays behind would
/// turn up in the error of an unrelated call.
enum OpenSSLErrors {
    /// Empties the queue and gives it as text, oldest error first.
    static func drain() -> String {
        var texts: [String] = []
        while true {
            let code = ERR_get_error()
            guard code != 0 else { return texts.joined(separator: "; ") }
            texts.append(text(of: code))
        }
    }

    /// Empties the queue after a failure that is an answer and no error, such as a wrong signature.
    static func discard() { ERR_clear_error() }

    /// The error for a failed call: drains the queue into its detail.
    static func failure(
        _ function: StaticString,
        _ code: CryptographyError.Code = .libraryFailure
    ) -> CryptographyError {
        CryptographyError(code, "\(function) failed", detail: drain())
    }

    /// Refuses any status but 1, which is how OpenSSL says success.
    static func check(_ status: Int32, _ function: StaticString) throws(CryptographyError) {
        guard status == 1 else { throw failure(function) }
    }

    /// OpenSSL's words for one error.
    static func text(of code: UInt) -> String {
        // ERR_error_string_n cuts longer text and always ends it with NUL.
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress else { return "error \(code)" }
            unsafe ERR_error_string_n(code, start, buffer.count)
            return unsafe String(cString: start)
        }
    }
}

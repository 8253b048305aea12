internal import COpenSSL

/// What OpenSSL's error queue says after a call into a provider failed.
struct ProviderFailure {
    /// The queue as text, oldest error first.
    private(set) var detail = ""
    /// Whether a module could not be loaded from its file.
    private(set) var isModuleMissing = false
    /// What the device answered, as the code that stands for it here.
    private(set) var answer: CryptographyError.Code?

    /// Empties the queue of the current thread.
    static func drain() -> ProviderFailure {
        var failure = ProviderFailure()
        var texts: [String] = []
        while true {
            var data: UnsafePointer<CChar>?
            var flags: Int32 = 0
            let code = unsafe ERR_get_error_all(nil, nil, nil, &data, &flags)
            guard code != 0 else { break }
            var text = OpenSSLErrors.text(of: code)
            // Only what has the form of a response is shown: elsewhere OpenSSL writes paths and URIs, which may hold a PIN.
            // The number of the library would not tell: a provider gets a new one each time it is loaded, and they wrap.
            if flags & ERR_TXT_STRING != 0, let data = unsafe data,
                let (number, words) = response(unsafe String(cString: data))
            {
                text += " [\(words)]"
                failure.answer = failure.answer ?? meaning(of: number)
            }
            if ERR_GET_LIB(code) == ERR_LIB_DSO { failure.isModuleMissing = true }
            texts.append(text)
        }
        failure.detail = texts.joined(separator: "; ")
        return failure
    }

    /// Reads what the TPM provider writes: the response code in decimal, a blank, and the TPM software stack's words for it.
    private static func response(_ text: String) -> (number: UInt32, words: String)? {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let number = UInt32(parts[0]) else { return nil }
        return (number, String(parts[1]))
    }

    /// What a response code of the TPM 2.0 Library, part 2, section 6.6, or of the software stack's layers stands for.
    private static func meaning(of response: UInt32) -> CryptographyError.Code? {
        // The layer that speaks is in bits 16 to 23: 0 the TPM itself, 10 what transports commands to it.
        switch response >> 16 & 0xFF {
        case 10: return .providerUnavailable
        case 0: break
        default: return nil
        }
        // TPM_RC_LOCKOUT and TPM_RC_OBJECT_MEMORY.
        if response == 0x921 { return .deviceLocked }
        if response == 0x902 { return .providerUnavailable }
        // With bit 7 set, the error is in the lowest six bits, and the others say which handle or session it is about.
        guard response & 0x80 != 0 else { return nil }
        switch response & 0x3F {
        case 0x0E, 0x22: return .wrongPassphrase  // TPM_RC_AUTH_FAIL, TPM_RC_BAD_AUTH
        case 0x0B: return .keyNotFound  // TPM_RC_HANDLE
        default: return nil
        }
    }

    /// The error for a failure, under the device's answer or else under `code`.
    func error(_ message: String, _ code: CryptographyError.Code = .libraryFailure) -> CryptographyError {
        switch answer {
        case .wrongPassphrase?:
            CryptographyError(
                .wrongPassphrase,
                "the passphrase of the key is missing or wrong",
                detail: detail
            )
        case .deviceLocked?:
            CryptographyError(
                .deviceLocked,
                "the device takes no passphrase for a while, because too many were wrong",
                detail: detail
            )
        case .keyNotFound?:
            CryptographyError(.keyNotFound, "the device has no such key", detail: detail)
        case let answer?:
            CryptographyError(answer, "the device cannot be used", detail: detail)
        case nil: CryptographyError(code, message, detail: detail)
        }
    }
}

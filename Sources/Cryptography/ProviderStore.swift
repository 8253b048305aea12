internal import COpenSSL

/// Finds a private key in a provider's store.
enum ProviderStore {
    /// Where the key is.
    enum Place {
        /// A URI that one of the loaded providers knows the scheme of.
        case uri(String)
        /// Octets as they would stand in a file.
        case file([UInt8])
    }

    /// Gives a reference to the one private key there.
    ///
    /// - Throws: ``CryptographyError`` with code `keyNotFound`, `wrongPassphrase`, `deviceLocked`, `providerUnavailable`
    ///   or `invalidKey`.
    static func load(
        _ place: Place,
        _ library: borrowing ProviderLibrary,
        query: String,
        passphrase: SecretBytes?
    ) throws(CryptographyError) -> OpaquePointer {
        let request = PassphraseRequest(passphrase)
        let context = unsafe library.context
        do throws(CryptographyError) {
            return unsafe try request.withMethod { method, data throws(CryptographyError) in
                switch place {
                case .uri(let uri):
                    let store = unsafe OSSL_STORE_open_ex(uri, context, query, method, data, nil, nil, nil)
                    return try unsafe onlyKey(store)
                case .file(let octets):
                    // The stream reads the octets where they are, so it is gone before they may be.
                    return unsafe try octets.withUnsafeBufferPointer { octets throws(CryptographyError) in
                        let bio = unsafe BIO_new_mem_buf(octets.baseAddress, Int32(octets.count))
                        guard let bio = unsafe bio else { throw OpenSSLErrors.failure("BIO_new_mem_buf") }
                        defer { unsafe BIO_free(bio) }
                        let store = unsafe OSSL_STORE_attach(
                            bio,
                            "file",
                            context,
                            query,
                            method,
                            data,
                            nil,
                            nil,
                            nil
                        )
                        return try unsafe onlyKey(store)
                    }
                }
            }
        } catch {
            guard request.isUnanswered else { throw error }
            throw CryptographyError(
                .wrongPassphrase,
                "the key asks for a passphrase, and there is none or a longer one than it takes",
                detail: error.detail
            )
        }
    }

    /// Reads a store to its end, and closes it.
    private static func onlyKey(_ store: OpaquePointer?) throws(CryptographyError) -> OpaquePointer {
        guard let store = unsafe store else {
            throw ProviderFailure.drain().error("there is nothing of that name", .keyNotFound)
        }
        defer { unsafe OSSL_STORE_close(store) }
        var keys = unsafe [OpaquePointer]()
        var isWhole = unsafe OSSL_STORE_expect(store, OSSL_STORE_INFO_PKEY) == 1
        while isWhole, unsafe OSSL_STORE_eof(store) == 0 {
            guard let info = unsafe OSSL_STORE_load(store) else {
                // Nothing more to come, or a failure: at the end there is always one answer without an object.
                isWhole = unsafe OSSL_STORE_eof(store) == 1
                break
            }
            defer { unsafe OSSL_STORE_INFO_free(info) }
            guard unsafe OSSL_STORE_INFO_get_type(info) == OSSL_STORE_INFO_PKEY else { continue }
            if let key = unsafe OSSL_STORE_INFO_get1_PKEY(info) { unsafe keys.append(key) }
        }
        let failure = ProviderFailure.drain()
        if unsafe keys.count == 1, isWhole, failure.detail.isEmpty { return unsafe keys[0] }
        unsafe keys.forEach { unsafe EVP_PKEY_free($0) }
        guard unsafe keys.isEmpty else {
            throw failure.error("there is more than one private key, or another fault", .invalidKey)
        }
        guard !isWhole || !failure.detail.isEmpty else {
            throw failure.error("there is no private key", .keyNotFound)
        }
        throw failure.error("no private key of this device can be loaded from there", .invalidKey)
    }
}

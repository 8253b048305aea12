internal import COpenSSL

/// Makes public keys of points of P-256, P-384 and P-521.
///
/// d2i_PUBKEY looks for a decoder among those of all providers, and i2d_PUBKEY for an encoder: 320 and 150 µs measured, where
/// a signature of P-256 is checked in 75. A copy of a key that has parameters alone takes a point in 6 µs.
enum CurveKey {
    // nonisolated(unsafe): set once, under the runtime's own once-lock, and only copied after that. Never freed.
    nonisolated(unsafe) private static let p256 = unsafe parameters("P-256")
    nonisolated(unsafe) private static let p384 = unsafe parameters("P-384")
    nonisolated(unsafe) private static let p521 = unsafe parameters("P-521")

    /// Makes the key of a point after full validation.
    ///
    /// OpenSSL's quick check is the partial validation of SP 800-56A Rev. 3, section 5.6.2.3.4: the point is not the one at
    /// infinity, its coordinates are below the field's prime, and it is on the curve. Full validation (section 5.6.2.3.3)
    /// also multiplies it by the group's order n. All three curves have cofactor 1 (SP 800-186, section 3.2.1): all their points
    /// but infinity are of the prime order n, so the product is infinity for each of them and needs no computing.
    ///
    /// - Parameters:
    ///   - point: The uncompressed form of X9.63.
    ///   - curve: P-256, P-384 or P-521.
    /// - Returns: The key.
    /// - Throws: ``CryptographyError`` with code `invalidKey` for a point that is not a public key of the curve, or
    ///   `libraryFailure`.
    static func make(_ point: ArraySlice<UInt8>, of curve: KeyType) throws(CryptographyError) -> KeyHandle {
        let template = unsafe template(of: curve)
        guard let template = unsafe template, let copy = unsafe EVP_PKEY_dup(template) else {
            throw OpenSSLErrors.failure("EVP_PKEY_dup")
        }
        let handle = unsafe KeyHandle(adopting: copy)
        let isTaken = unsafe point.withUnsafeBufferPointer {
            unsafe EVP_PKEY_set1_encoded_public_key(copy, $0.baseAddress, $0.count) == 1
        }
        // What OpenSSL holds must be the point that was read here.
        guard isTaken, unsafe encodedPoint(copy, capacity: point.count)?.elementsEqual(point) ?? false,
            unsafe handle.passes({ unsafe EVP_PKEY_public_check_quick($0) })
        else {
            OpenSSLErrors.discard()
            throw CryptographyError(.invalidKey, "the point is not a public key of its curve")
        }
        return handle
    }

    private static func template(of curve: KeyType) -> OpaquePointer? {
        switch curve {
        case .p256: unsafe p256
        case .p384: unsafe p384
        case .p521: unsafe p521
        case .ed25519, .ed448, .rsa, .rsaPSS: nil
        }
    }

    private static func encodedPoint(_ key: OpaquePointer, capacity: Int) -> [UInt8]? {
        unsafe OutputBytes.fill(capacity: capacity) { output in
            var count = 0
            let status = unsafe EVP_PKEY_get_octet_string_param(
                key,
                OSSL_PKEY_PARAM_PUB_KEY,
                output,
                capacity,
                &count
            )
            return status == 1 ? count : nil
        }
    }

    /// A key with the parameters of a curve and no point, or nil when no provider has the curve.
    private static func parameters(_ name: String) -> OpaquePointer? {
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_paramgen_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_group_name(context, name) == 1,
            unsafe EVP_PKEY_paramgen(context, &key) == 1
        else { return nil }
        return unsafe key
    }
}

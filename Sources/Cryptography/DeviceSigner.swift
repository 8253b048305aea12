internal import COpenSSL

/// Has a key in a device sign the handshakes of one `SSL_CTX`.
///
/// libssl signs on whatever thread it runs, and knows nothing of the lock under which a provider's keys are used. So it
/// gets another key: the public half, with a signing function that comes back here and goes through the lock.
final class DeviceSigner: Sendable {
    private let key: ProviderKey
    private let publicKey: PublicKey
    private let report: @Sendable (CryptographyError) -> Void

    /// Makes a signer, of which `report` is told why a handshake has no signature, on the handshake's thread.
    init(
        _ key: ProviderKey,
        _ publicKey: PublicKey,
        report: @escaping @Sendable (CryptographyError) -> Void
    ) {
        self.key = key
        self.publicKey = publicKey
        self.report = report
    }

    /// The slot of EC keys in which the signer is kept, released by OpenSSL with its key.
    private static let index = unsafe copenssl_ec_key_index(
        { _, _, place, _, _, _ in
            if let pointer = unsafe place?.pointee {
                _ = unsafe Unmanaged<DeviceSigner>.fromOpaque(pointer).retain()
            }
            return 1
        },
        { _, pointer, _, _, _, _ in
            guard let pointer = unsafe pointer else { return }
            unsafe Unmanaged<DeviceSigner>.fromOpaque(pointer).release()
        }
    )

    // nonisolated(unsafe): set once, under the runtime's own once-lock, read-only after that, and never freed.
    nonisolated(unsafe) private static let method = unsafe copenssl_ec_method_new {
        _,
        digest,
        count,
        output,
        length,
        _,
        _,
        key in
        guard let digest = unsafe digest, let output = unsafe output, let length = unsafe length,
            let pointer = unsafe copenssl_ec_key_data(key, DeviceSigner.index)
        else { return 0 }
        // What a provider leaves in the queue although it signs, libssl would take for a failure of its own.
        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        let signer = unsafe Unmanaged<DeviceSigner>.fromOpaque(pointer).takeUnretainedValue()
        let octets = unsafe Array(UnsafeBufferPointer(start: digest, count: max(0, Int(count))))
        guard let signature = signer.sign(octets),
            unsafe signature.count <= Int(copenssl_ec_signature_size(key))
        else { return 0 }
        unsafe output.update(from: signature, count: signature.count)
        unsafe length.pointee = UInt32(signature.count)
        return 1
    }

    /// Puts the key into a context that has its certificate, and keeps this object with it.
    func install(on context: OpaquePointer) -> Bool {
        // A device may be bound to one hash, as keys here are everywhere; a server chooses among what both sides name.
        let (curve, algorithms): (Int32, String)
        switch publicKey.keyType {
        case .p256: (curve, algorithms) = (NID_X9_62_prime256v1, "ECDSA+SHA256")
        case .p384: (curve, algorithms) = (NID_secp384r1, "ECDSA+SHA384")
        case .p521, .ed25519, .ed448, .rsa, .rsaPSS: return false
        }
        guard let point = publicKey.x963, Self.index >= 0, let method = unsafe Self.method else {
            return false
        }
        let retained = unsafe Unmanaged.passRetained(self).toOpaque()
        guard
            let pair = unsafe copenssl_ec_key_new(curve, point, point.count, method, Self.index, retained)
        else {
            unsafe Unmanaged<DeviceSigner>.fromOpaque(retained).release()
            return false
        }
        defer { unsafe EVP_PKEY_free(pair) }
        return unsafe copenssl_set_client_signature_algorithms(context, algorithms) == 1
            && SSL_CTX_use_PrivateKey(context, pair) == 1 && SSL_CTX_check_private_key(context) == 1
    }

    private func sign(_ digest: [UInt8]) -> [UInt8]? {
        do throws(CryptographyError) {
            return try key.sign(digest: digest, publicKey.keyType == .p384 ? .sha384 : .sha256)
        } catch {
            report(error)
            return nil
        }
    }
}

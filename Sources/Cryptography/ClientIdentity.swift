internal import COpenSSL

/// What a client shows a server that asks who it is: a certificate, those above it, and the private key (RFC 8446,
/// section 4.4.2).
///
/// The key may be one in a device (``KeyProvider``), of P-256 or P-384. The device then signs each handshake in which a
/// server asks for the certificate. That holds the thread of the handshake for the
/// device's time, some milliseconds to tenths of a second in a TPM, and longer while others use the device: a session of
/// `HTTPTransport` moves no other octet meanwhile. The key signs a digest, with SHA-256 for P-256 and SHA-384 for P-384; a
/// server that takes neither is shown no certificate, and with a restricted key of a TPM, which signs only what the TPM
/// itself has hashed, the handshake fails.
public struct ClientIdentity: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The client's certificate, and those between it and the root, in order.
    public let chain: [Certificate]
    private let key: PrivateKey

    /// Puts certificates and key together.
    ///
    /// A device is not asked here: that a passphrase is wrong shows in the first handshake.
    ///
    /// - Throws: ``CryptographyError`` with code `invalidCertificate` without a certificate, or `invalidKey` when the key is
    ///   not the first certificate's.
    public init(chain: [Certificate], key: PrivateKey) throws(CryptographyError) {
        guard let first = chain.first else {
            throw CryptographyError(.invalidCertificate, "a client identity has a certificate")
        }
        guard first.subjectPublicKeyInfo == key.publicKey.spkiDER else {
            throw CryptographyError(.invalidKey, "the private key is not the one of the certificate")
        }
        self.chain = chain
        self.key = key
    }

    /// Whether both show the same certificates.
    public static func == (left: Self, right: Self) -> Bool { left.chain == right.chain }

    /// Feeds the certificates.
    public func hash(into hasher: inout Hasher) { hasher.combine(chain) }

    /// The subject of the certificate.
    public var description: String { "ClientIdentity(\(chain.first?.subject ?? ""))" }

    /// A mirror without children, so that `dump` shows nothing of the key.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Puts certificates and key into an `SSL_CTX`.
    ///
    /// - Parameters:
    ///   - context: The `SSL_CTX`.
    ///   - report: Told why a device did not sign a handshake, on the thread of the handshake.
    /// - Returns: Whether it was done; the context must not be used otherwise.
    func install(
        on context: OpaquePointer,
        report: @escaping @Sendable (CryptographyError) -> Void
    ) -> Bool {
        defer { OpenSSLErrors.discard() }
        for (position, certificate) in chain.enumerated() {
            let pointer: OpaquePointer? = unsafe certificate.der.withUnsafeBufferPointer { der in
                var next = der.baseAddress
                return unsafe d2i_X509(nil, &next, der.count)
            }
            guard let pointer = unsafe pointer else { return false }
            defer { unsafe X509_free(pointer) }
            let isTaken =
                unsafe position == 0
                ? SSL_CTX_use_certificate(context, pointer) == 1
                : copenssl_add1_chain_certificate(context, pointer) == 1
            guard isTaken else { return false }
        }
        return unsafe key.install(on: context, report: report)
    }
}

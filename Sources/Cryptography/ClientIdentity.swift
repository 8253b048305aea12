internal import COpenSSL

/// What a client shows a server that asks who it is: a certificate, those above it, and the private key (RFC 8446,
/// section 4.4.2).
public struct ClientIdentity: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The client's certificate, and those between it and the root, in order.
    public let chain: [Certificate]
    private let key: PrivateKey

    /// Puts certificates and key together.
    ///
    /// - Throws: ``CryptographyError`` with code `invalidCertificate` without a certificate, `invalidKey` when the key is not
    ///   the first certificate's, or `notExportable` for a key in a device, which TLS cannot use here.
    public init(chain: [Certificate], key: PrivateKey) throws(CryptographyError) {
        guard let first = chain.first else {
            throw CryptographyError(.invalidCertificate, "a client identity has a certificate")
        }
        guard first.subjectPublicKeyInfo == key.publicKey.spkiDER else {
            throw CryptographyError(.invalidKey, "the private key is not the one of the certificate")
        }
        _ = try key.handle
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
    func install(on context: OpaquePointer) -> Bool {
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
        guard let handle = try? key.handle else { return false }
        return unsafe SSL_CTX_use_PrivateKey(context, handle.pointer) == 1
    }
}

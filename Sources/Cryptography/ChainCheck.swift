internal import COpenSSL
import Locking

/// Verifies the certificates of one server, and then asks whether their keys will do.
///
/// It takes the place of OpenSSL's verification in a TLS context, runs that very verification first, and only narrows its
/// answer. Names are not its matter.
package final class ChainCheck: Sendable {
    /// What a handshake showed.
    package struct Outcome: Sendable {
        /// The SHA-256 of each SubjectPublicKeyInfo, the server's own first: of the verified chain, or of what the server
        /// sent when the chain was not verified.
        package let keyHashes: [[UInt8]]
        /// The same certificates in DER; one that cannot be encoded is left out.
        package let certificates: [[UInt8]]
        /// Whether the chain leads to a root and is in force.
        package let isTrusted: Bool
        /// Whether the keys will do.
        package let isAccepted: Bool
    }

    private let store: TrustStore
    private let identity: ClientIdentity?
    private let accepts: @Sendable (_ keyHashes: [[UInt8]]) -> Bool
    private let result = Mutex<Outcome?>(nil)
    private let failure = Mutex<CryptographyError?>(nil)
    private let alerts = Mutex((fatal: UInt8?.none, isEndTold: false))
    private let isCut = Mutex(false)

    /// Makes a check.
    ///
    /// - Parameters:
    ///   - store: The roots of trust.
    ///   - identity: The certificate to show to the server.
    ///   - accepts: Whether the keys of a chain that was verified will do.
    package init(
        store: TrustStore,
        identity: ClientIdentity?,
        accepts: @escaping @Sendable (_ keyHashes: [[UInt8]]) -> Bool
    ) {
        self.store = store
        self.identity = identity
        self.accepts = accepts
    }

    /// What the last handshake showed; nil before one.
    package var outcome: Outcome? { result.withLock { $0 } }

    /// Why the client's key did not sign the handshake; nil when it did, or did not have to.
    package var signingFailure: CryptographyError? { failure.withLock { $0 } }

    /// The number of the alert by which the server ended TLS (RFC 8446, section 6.2); nil when it sent none.
    ///
    /// In TLS 1.3 a server refuses the client's certificate only after the client's handshake is complete.
    package var serverAlert: UInt8? { alerts.withLock { $0.fatal } }

    /// Whether the connection ended within the handshake, without a word of TLS.
    package var isHandshakeCut: Bool { serverAlert == nil && isCut.withLock { $0 } }

    /// Whether the server has said that nothing comes any more (RFC 8446, section 6.1); an end of the connection without
    /// that can be anybody's doing.
    package var isEndTold: Bool { alerts.withLock { $0.isEndTold } }

    /// The check that was put into the context of an `SSL`.
    package static func check(of session: UnsafeMutableRawPointer) -> ChainCheck? {
        unsafe check(of: OpaquePointer(session))
    }

    /// The protocol that an `SSL` has agreed on (RFC 7301); empty without one.
    package static func applicationProtocol(of session: UnsafeMutableRawPointer) -> [UInt8] {
        var start: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        unsafe SSL_get0_alpn_selected(OpaquePointer(session), &start, &count)
        return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    /// Whether an `SSL` holds content that is decrypted and was not read.
    package static func hasUnreadContent(_ session: UnsafeMutableRawPointer) -> Bool {
        unsafe SSL_pending(OpaquePointer(session)) > 0
    }

    private static func check(of session: OpaquePointer) -> ChainCheck? {
        guard let pointer = unsafe SSL_CTX_get_ex_data(SSL_get_SSL_CTX(session), index) else { return nil }
        return unsafe Unmanaged<ChainCheck>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Puts the check into an `SSL_CTX`, which keeps it alive for as long as it lives itself.
    ///
    /// - Returns: Whether it was done; the context must not be used otherwise.
    package func install(on context: UnsafeMutableRawPointer) -> Bool {
        let context = OpaquePointer(context)
        guard Self.index >= 0 else { return false }
        unsafe SSL_CTX_set1_cert_store(context, store.pointer)
        if let identity {
            let isInstalled = unsafe identity.install(on: context) { error in
                self.failure.withLock { $0 = error }
            }
            guard isInstalled else { return false }
        }
        let retained = unsafe Unmanaged.passRetained(self).toOpaque()
        guard unsafe SSL_CTX_set_ex_data(context, Self.index, retained) == 1 else {
            unsafe Unmanaged<ChainCheck>.fromOpaque(retained).release()
            return false
        }
        // A server that could ask for a second handshake could show other certificates in it.
        unsafe SSL_CTX_set_options(context, copenssl_no_renegotiation())
        unsafe SSL_CTX_set_cert_verify_callback(context, Self.callback, retained)
        unsafe SSL_CTX_set_info_callback(context, Self.information)
        // libcurl would write the secrets of each connection into the file that the environment's SSLKEYLOGFILE names.
        unsafe SSL_CTX_set_keylog_callback(context, nil)
        return true
    }

    /// The slot of contexts in which the check is kept, released by OpenSSL with its context.
    private static let index = unsafe copenssl_ssl_ctx_index { _, pointer, _, _, _, _ in
        guard let pointer = unsafe pointer else { return }
        unsafe Unmanaged<ChainCheck>.fromOpaque(pointer).release()
    }

    private static let callback: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = {
        guard let verification = unsafe $0, let pointer = unsafe $1 else { return 0 }
        return unsafe Unmanaged<ChainCheck>.fromOpaque(pointer).takeUnretainedValue().verify(verification)
    }

    private static let information: @convention(c) (OpaquePointer?, Int32, Int32) -> Void = {
        ssl,
        event,
        value in
        guard let ssl = unsafe ssl, let check = unsafe check(of: ssl) else { return }
        if event == copenssl_connect_exit(), value <= 0 {
            let isCut = unsafe copenssl_is_cut(ssl, value) == 1
            check.isCut.withLock { $0 = isCut }
        }
        guard event == SSL_CB_READ_ALERT else { return }
        // The level stands in the upper octet.
        check.alerts.withLock { alerts in
            if value >> 8 == SSL3_AL_FATAL { alerts.fatal = UInt8(truncatingIfNeeded: value) }
            if value & 0xFF == SSL3_AD_CLOSE_NOTIFY { alerts.isEndTold = true }
        }
    }

    private func verify(_ verification: OpaquePointer) -> Int32 {
        let isTrusted = unsafe X509_verify_cert(verification) == 1
        let chain =
            isTrusted
            ? unsafe X509_STORE_CTX_get0_chain(verification)
            : unsafe X509_STORE_CTX_get0_untrusted(verification)
        let hashes = unsafe Self.keyHashes(of: chain)
        let isAccepted = isTrusted && accepts(hashes)
        let outcome = Outcome(
            keyHashes: hashes,
            certificates: unsafe Self.certificates(of: chain),
            isTrusted: isTrusted,
            isAccepted: isAccepted
        )
        result.withLock { $0 = outcome }
        guard isTrusted else { return 0 }
        guard isAccepted else {
            unsafe X509_STORE_CTX_set_error(verification, X509_V_ERR_APPLICATION_VERIFICATION)
            return 0
        }
        return 1
    }

    /// A certificate whose key cannot be hashed is left out, and so fits no pin.
    private static func keyHashes(of chain: OpaquePointer?) -> [[UInt8]] {
        (0..<max(0, unsafe copenssl_chain_count(chain))).compactMap { position in
            let key = unsafe X509_get_X509_PUBKEY(copenssl_chain_value(chain, position))
            guard let der = unsafe OutputBytes.encode({ unsafe i2d_X509_PUBKEY(key, $0) }) else { return nil }
            return try? HashAlgorithm.sha256.hash(der)
        }
    }

    private static func certificates(of chain: OpaquePointer?) -> [[UInt8]] {
        (0..<max(0, unsafe copenssl_chain_count(chain))).compactMap { position in
            let certificate = unsafe copenssl_chain_value(chain, position)
            return unsafe OutputBytes.encode { unsafe i2d_X509(certificate, $0) }
        }
    }
}

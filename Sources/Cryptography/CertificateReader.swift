internal import COpenSSL
import Encodings

/// Takes the values of one certificate out of OpenSSL's X509.
///
/// Thread safety: an X509 that nobody changes may be used by many threads at once; its reference count is atomic, and
/// OpenSSL guards what it keeps of the extensions with a lock of the X509. Nothing in this target changes one.
@safe
struct CertificateReader: ~Copyable, Sendable {
    // nonisolated(unsafe): see the thread rule above.
    nonisolated(unsafe) let certificate: OpaquePointer

    private init(adopting certificate: OpaquePointer) { unsafe self.certificate = certificate }

    deinit { unsafe X509_free(certificate) }

    static func open(_ der: [UInt8]) throws(CryptographyError) -> CertificateReader {
        let pointer: OpaquePointer? = unsafe der.withUnsafeBufferPointer { input in
            var next = input.baseAddress
            guard let certificate = unsafe d2i_X509(nil, &next, input.count) else { return nil }
            guard unsafe next == input.baseAddress.map({ unsafe $0 + input.count }) else {
                unsafe X509_free(certificate)
                return nil
            }
            return unsafe certificate
        }
        guard let pointer = unsafe pointer else {
            throw OpenSSLErrors.failure("d2i_X509", .invalidCertificate)
        }
        return unsafe CertificateReader(adopting: pointer)
    }

    func subject() throws(CryptographyError) -> String {
        try unsafe text(of: X509_get_subject_name(certificate))
    }

    func issuer() throws(CryptographyError) -> String {
        try unsafe text(of: X509_get_issuer_name(certificate))
    }

    func subjectDER() throws(CryptographyError) -> [UInt8] {
        let name = unsafe X509_get_subject_name(certificate)
        guard let der = unsafe OutputBytes.encode({ unsafe i2d_X509_NAME(name, $0) }) else {
            throw OpenSSLErrors.failure("i2d_X509_NAME")
        }
        return der
    }

    func serialNumber() throws(CryptographyError) -> String {
        guard let number = unsafe ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), nil) else {
            throw OpenSSLErrors.failure("ASN1_INTEGER_to_BN", .invalidCertificate)
        }
        defer { unsafe BN_free(number) }
        let count = unsafe (Int(BN_num_bits(number)) + 7) / 8
        let digits = unsafe OutputBytes.fill(capacity: count) { unsafe Int(BN_bn2bin(number, $0)) } ?? []
        let text = Hex.encode(digits.isEmpty ? [0] : digits)
        return unsafe BN_is_negative(number) == 1 ? "-" + text : text
    }

    func notBefore() throws(CryptographyError) -> Int64 {
        try unsafe seconds(X509_get0_notBefore(certificate))
    }

    func notAfter() throws(CryptographyError) -> Int64 { try unsafe seconds(X509_get0_notAfter(certificate)) }

    /// 1 is "by basic constraints"; the other positive answers guess for certificates that have none.
    func isCA() -> Bool {
        defer { OpenSSLErrors.discard() }
        return unsafe X509_check_ca(certificate) == 1
    }

    func subjectPublicKeyInfo() throws(CryptographyError) -> [UInt8] {
        let key = unsafe X509_get_X509_PUBKEY(certificate)
        guard let der = unsafe OutputBytes.encode({ unsafe i2d_X509_PUBKEY(key, $0) }) else {
            throw OpenSSLErrors.failure("i2d_X509_PUBKEY", .invalidCertificate)
        }
        return der
    }

    func dnsNames() throws(CryptographyError) -> [String] {
        guard let value = try extensionValue(NID_subject_alt_name) else { return [] }
        var outer = DERReader(value)
        guard var names = outer.read(.sequence).map(DERReader.init), outer.isAtEnd else {
            throw Self.malformed
        }
        var found: [String] = []
        while let tag = names.nextTag {
            guard let content = names.readContent() else { throw Self.malformed }
            guard tag == .context(2) else { continue }
            // A NUL or another control character has been used to make "good.example\0.evil.example" look good.
            guard content.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw Self.malformed }
            found.append(String(decoding: content, as: UTF8.self))
        }
        return found
    }

    func subjectKeyIdentifier() throws(CryptographyError) -> [UInt8]? {
        guard let value = try extensionValue(NID_subject_key_identifier) else { return nil }
        var outer = DERReader(value)
        guard let identifier = outer.read(.octetString), outer.isAtEnd else { throw Self.malformed }
        return Array(identifier)
    }

    /// The octets of an extension, or nil when it is not there.
    private func extensionValue(_ identifier: Int32) throws(CryptographyError) -> [UInt8]? {
        try extensionValue { unsafe X509_get_ext_by_NID(certificate, identifier, $0) }?.value
    }

    /// An extension, found by a function that searches from a position on.
    func extensionValue(
        _ find: (_ after: Int32) -> Int32
    ) throws(CryptographyError) -> CertificateExtension? {
        let index = find(-1)
        guard index >= 0 else { return nil }
        // RFC 5280, section 4.2: an extension stands once. With two, readers could disagree on which counts.
        guard find(index) < 0, let entry = unsafe X509_get_ext(certificate, index),
            let value = unsafe X509_EXTENSION_get_data(entry),
            let start = unsafe ASN1_STRING_get0_data(value)
        else { throw Self.malformed }
        return CertificateExtension(
            value: unsafe Array(UnsafeBufferPointer(start: start, count: Int(ASN1_STRING_length(value)))),
            isCritical: unsafe X509_EXTENSION_get_critical(entry) == 1
        )
    }

    private func text(of name: OpaquePointer?) throws(CryptographyError) -> String {
        guard let memory = unsafe BIO_new(BIO_s_mem()) else { throw OpenSSLErrors.failure("BIO_new") }
        defer { unsafe BIO_free(memory) }
        let length = unsafe X509_NAME_print_ex(memory, name, 0, copenssl_rfc2253_flags())
        guard length >= 0 else { throw OpenSSLErrors.failure("X509_NAME_print_ex", .invalidCertificate) }
        guard length > 0 else { return "" }
        let bytes = unsafe OutputBytes.fill(capacity: Int(length)) {
            unsafe BIO_read(memory, $0, length) == length ? Int(length) : nil
        }
        guard let bytes else { throw OpenSSLErrors.failure("BIO_read") }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func seconds(_ time: UnsafePointer<ASN1_TIME>?) throws(CryptographyError) -> Int64 {
        guard let epoch = unsafe ASN1_TIME_set(nil, 0) else { throw OpenSSLErrors.failure("ASN1_TIME_set") }
        defer { unsafe ASN1_TIME_free(epoch) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        // A NULL time would mean "now" to ASN1_TIME_diff.
        guard let time = unsafe time, unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else {
            throw OpenSSLErrors.failure("ASN1_TIME_diff", .invalidCertificate)
        }
        return Int64(days) * 86_400 + Int64(seconds)
    }

    private static let malformed = CryptographyError(
        .invalidCertificate,
        "an extension of the certificate is not in its form"
    )
}

/// Keys that are in a device.
extension PrivateKey {
    /// Takes a key of a device by its URI.
    ///
    /// A TPM's provider knows `handle:0x81000001` for a key in its lasting memory and `file:/path/key.pem` for a TSS2 PRIVATE
    /// KEY; that of PKCS #11 knows `pkcs11:token=…;object=…` (RFC 7512). The key must be one of P-256 or P-384.
    ///
    /// - Parameters:
    ///   - uri: The URI. The error does not repeat it, since it may hold a PIN; better give that as the passphrase.
    ///   - provider: The provider of the device, which the key keeps.
    ///   - passphrase: The passphrase or PIN; nil for a key without. Nobody is ever asked for one. A TPM tells whether it is
    ///     right at the first signature only. A key that has none does not use it.
    /// - Throws: ``CryptographyError`` with code `invalidInput` for a text that is no URI, `keyNotFound`,
    ///   `wrongPassphrase`, `deviceLocked`, `providerUnavailable`, `invalidKey` for what is not exactly one private key of
    ///   this device (such as one of another TPM, or of this one before it was cleared), or `unsupportedKey`.
    public convenience init(
        storeURI uri: String,
        provider: KeyProvider,
        passphrase: SecretBytes? = nil
    ) throws(CryptographyError) {
        guard let scheme = Self.scheme(of: uri) else {
            throw CryptographyError(.invalidInput, "the place of a key in a device is a URI with a scheme")
        }
        // The TPM's provider asks for the passphrase of a handle only if the URI says so.
        let asks = scheme == "handle" && passphrase != nil && !uri.contains("?")
        try self.init(
            adopting: provider.key(at: .uri(asks ? uri + "?pass" : uri), passphrase: passphrase)
        )
    }

    /// Takes a key of a TPM by the text that ``KeyProvider/generateKey(_:passphrase:)`` gave.
    ///
    /// - Parameters:
    ///   - pem: One PEM block TSS2 PRIVATE KEY, and nothing around it.
    ///   - provider: The provider of the TPM, which the key keeps.
    ///   - passphrase: As for ``init(storeURI:provider:passphrase:)``.
    /// - Throws: ``CryptographyError`` with code `invalidPEM`, or as ``init(storeURI:provider:passphrase:)`` says.
    public convenience init(
        pem: String,
        provider: KeyProvider,
        passphrase: SecretBytes? = nil
    ) throws(CryptographyError) {
        guard try PEM(pem).label == ProviderKeyGeneration.label else {
            throw CryptographyError(.invalidPEM, "the PEM block is not a \(ProviderKeyGeneration.label)")
        }
        try self.init(adopting: provider.key(at: .file(Array(pem.utf8)), passphrase: passphrase))
    }

    /// The scheme of a URI (RFC 3986, section 3.1) that has no blanks or control characters.
    private static func scheme(of uri: String) -> String? {
        guard let colon = uri.firstIndex(of: ":"), uri.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            return nil
        }
        let scheme = uri[..<colon].lowercased()
        guard let first = scheme.utf8.first, (0x61...0x7A).contains(first) else { return nil }
        let isScheme = scheme.utf8.allSatisfy { octet in
            switch octet {
            case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
            default: false
            }
        }
        return isScheme ? scheme : nil
    }
}

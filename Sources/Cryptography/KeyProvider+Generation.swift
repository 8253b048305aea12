internal import COpenSSL

extension KeyProvider {
    /// A new key of a TPM, and the text to keep.
    public struct GeneratedKey: Sendable, CustomStringConvertible, CustomReflectable {
        /// The key, ready to sign.
        public let privateKey: PrivateKey
        /// A PEM block TSS2 PRIVATE KEY, for ``PrivateKey/init(pem:provider:passphrase:)``.
        ///
        /// The TPM that made it has encrypted it, and no other can use it. On this machine, whoever may use the TPM can
        /// sign with it, if it has no passphrase: keep the file for its user alone.
        public let pem: String

        /// The kind of the key; the text is not shown.
        public var description: String { "GeneratedKey(\(privateKey.keyType))" }

        /// A mirror without children, so that `dump` shows nothing.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// Makes a key inside a TPM.
    ///
    /// Keys of other devices are made with the tools of their makers.
    ///
    /// - Parameters:
    ///   - type: `.p256`, or `.p384` where the TPM knows it.
    ///   - passphrase: What the TPM demands for each use of the key, 1 to 32 octets, none of them 0; nil for nothing.
    ///     After a few wrong ones the TPM takes none for a while.
    /// - Returns: The key and its text. Clearing the TPM, which its owner can do, makes the text useless for ever.
    /// - Throws: ``CryptographyError`` with code `unsupportedKey`, `invalidInput`, `providerUnavailable` or
    ///   `libraryFailure`.
    public func generateKey(
        _ type: KeyType = .p256,
        passphrase: SecretBytes? = nil
    ) throws(CryptographyError) -> GeneratedKey {
        guard name == ProviderKeyGeneration.provider else {
            throw CryptographyError(.unsupportedKey, "keys of the provider '\(name)' are not made here")
        }
        if let passphrase {
            let isText = passphrase.withBytes { bytes in bytes.indices.allSatisfy { bytes[$0] != 0 } }
            guard isText, (1...ProviderKeyGeneration.maximumPassphrase).contains(passphrase.count) else {
                throw CryptographyError(
                    .invalidInput,
                    "a passphrase has from 1 to \(ProviderKeyGeneration.maximumPassphrase) octets, none of them 0"
                )
            }
        }
        let pem = try withLibrary { library throws(CryptographyError) in
            let key = unsafe try ProviderKeyGeneration.generate(type, library, passphrase: passphrase)
            defer { unsafe EVP_PKEY_free(key) }
            return unsafe try ProviderKeyGeneration.text(of: key)
        }
        // The provider does not use the passphrase for the key that it has just made, but for one that it loads. And what
        // is given out here has been read back once.
        return GeneratedKey(
            privateKey: try PrivateKey(pem: pem, provider: self, passphrase: passphrase),
            pem: pem
        )
    }
}

internal import COpenSSL
import Locking

/// A device that keeps private keys and signs with them, reached through a provider of OpenSSL.
///
/// The provider `tpm2` (Debian's tpm2-openssl) is for a TPM 2.0; the provider `pkcs11` is for smart cards and security
/// modules. A key of theirs is a ``PrivateKey`` like any other, but that it cannot be exported and that only its device
/// can sign with it. Its public half is an ordinary ``PublicKey``: verifying never goes to the device.
///
/// Each value loads the provider anew and so opens a connection of its own. Make one for a process and keep it; the keys
/// keep it too. One device does one thing at a time: all its keys wait for each other, and each wait holds a thread.
///
/// A TPM has room for about three loaded keys. The kernel's resource manager, `/dev/tpmrm0`, which the provider takes by
/// default, swaps them; a TPM that is reached without one (by the variable `TPM2OPENSSL_TCTI`) does not.
public final class KeyProvider: Sendable {
    /// The provider's name.
    public let name: String
    private let library: Mutex<ProviderLibrary>

    /// Prefers this provider, where both have a method: the default one still reads files.
    var propertyQuery: String { "?provider=\(name)" }

    /// The provider for a TPM 2.0.
    ///
    /// - Throws: ``CryptographyError`` with code `providerUnavailable` when it is not installed or finds no TPM.
    public static func tpm2() throws(CryptographyError) -> KeyProvider { try KeyProvider(named: "tpm2") }

    /// The provider for PKCS #11.
    ///
    /// - Parameter configurationFile: A configuration of OpenSSL that names the module, for example with
    ///   `pkcs11-module-path`; without one the environment must (`PKCS11_PROVIDER_MODULE`).
    /// - Returns: The provider, with its module loaded.
    /// - Throws: ``CryptographyError`` with code `providerUnavailable` when it is not installed or has no module.
    public static func pkcs11(configurationFile: String? = nil) throws(CryptographyError) -> KeyProvider {
        try KeyProvider(named: "pkcs11", configurationFile: configurationFile)
    }

    /// Loads a provider into a library context of its own.
    ///
    /// - Parameters:
    ///   - name: The provider's name: letters, digits, `-` and `_`. Those of OpenSSL that keep keys in memory are refused.
    ///   - configurationFile: A configuration of OpenSSL to read before, or nil. It decides which code is loaded, so it
    ///     must be as safe as the program.
    /// - Throws: ``CryptographyError`` with code `invalidInput` for a name that is none, or `providerUnavailable`.
    public init(named name: String, configurationFile: String? = nil) throws(CryptographyError) {
        // A name with a slash would be the path of any module.
        let isName = name.utf8.allSatisfy { octet in
            switch octet {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
        guard isName, !["", "default", "base", "legacy", "fips", "null"].contains(name) else {
            throw CryptographyError(.invalidInput, "this is not the name of a provider for a device")
        }
        self.name = name
        library = Mutex(try ProviderLibrary.load(name, configurationFile: configurationFile))
    }

    /// The one way to the library context and to all that was made with it.
    func withLibrary<Result, Failure: Error>(
        _ body: (borrowing ProviderLibrary) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try library.withLock { library throws(Failure) in
            // Providers tell failures by the queue alone, which may hold what somebody else has left on this thread.
            OpenSSLErrors.discard()
            return try body(library)
        }
    }

    /// Loads a key.
    ///
    /// - Throws: ``CryptographyError`` as ``PrivateKey/init(storeURI:provider:passphrase:)`` says.
    func key(at place: ProviderStore.Place, passphrase: SecretBytes?) throws(CryptographyError) -> ProviderKey
    {
        try withLibrary { library throws(CryptographyError) in
            let pointer = unsafe try load(place, library, passphrase)
            // OpenSSL would take a key in a file that is not in the device, and keep it in memory.
            guard unsafe holds(pointer) else {
                unsafe EVP_PKEY_free(pointer)
                throw CryptographyError(.invalidKey, "the private key is not in the device of '\(name)'")
            }
            return unsafe ProviderKey(adopting: pointer, of: self)
        }
    }

    /// Whether a key is this provider's own.
    func holds(_ key: OpaquePointer) -> Bool {
        guard let owner = unsafe EVP_PKEY_get0_provider(key),
            let text = unsafe OSSL_PROVIDER_get0_name(owner)
        else { return false }
        return unsafe String(cString: text) == name
    }

    private func load(
        _ place: ProviderStore.Place,
        _ library: borrowing ProviderLibrary,
        _ passphrase: SecretBytes?
    ) throws(CryptographyError) -> OpaquePointer {
        do throws(CryptographyError) {
            return unsafe try ProviderStore.load(
                place,
                library,
                query: propertyQuery,
                passphrase: passphrase
            )
        } catch {
            // The decoder of the TPM's key files drops the TPM's answer. Only if the TPM can load another key just now,
            // is it this one that is wrong: a caller may throw a wrong key away, but not one that could be right.
            guard error.code == .invalidKey, name == ProviderKeyGeneration.provider else { throw error }
            unsafe EVP_PKEY_free(try ProviderKeyGeneration.generate(.p256, library, passphrase: nil))
            throw error
        }
    }
}

internal import COpenSSL

/// Owns one library context of OpenSSL and the providers loaded into it.
///
/// It is a world of its own: nothing that is done with the default context ever reaches these providers.
@safe
struct ProviderLibrary: ~Copyable {
    // nonisolated(unsafe): used only under the lock of the KeyProvider that owns it.
    nonisolated(unsafe) let context: OpaquePointer
    nonisolated(unsafe) private var providers = unsafe [OpaquePointer]()

    private init(adopting context: OpaquePointer) { unsafe self.context = context }

    deinit {
        unsafe providers.reversed().forEach { unsafe OSSL_PROVIDER_unload($0) }
        unsafe OSSL_LIB_CTX_free(context)
    }

    /// Makes a context with the named provider and OpenSSL's own one, which hashes and reads files.
    ///
    /// - Throws: ``CryptographyError`` with code `providerUnavailable` or `libraryFailure`.
    static func load(_ name: String, configurationFile: String?) throws(CryptographyError) -> ProviderLibrary
    {
        guard let context = unsafe OSSL_LIB_CTX_new() else { throw OpenSSLErrors.failure("OSSL_LIB_CTX_new") }
        var library = unsafe ProviderLibrary(adopting: context)
        if let configurationFile {
            guard unsafe OSSL_LIB_CTX_load_config(context, configurationFile) == 1 else {
                throw OpenSSLErrors.failure("reading the provider's configuration", .providerUnavailable)
            }
        }
        for name in [name, "default"] { try library.load(name) }
        return library
    }

    private mutating func load(_ name: String) throws(CryptographyError) {
        guard let provider = unsafe OSSL_PROVIDER_load(context, name) else {
            let failure = ProviderFailure.drain()
            throw CryptographyError(
                .providerUnavailable,
                failure.isModuleMissing
                    ? "OpenSSL's provider '\(name)' is not installed"
                    : "OpenSSL's provider '\(name)' cannot start: it does not reach its device",
                detail: failure.detail
            )
        }
        unsafe providers.append(provider)
    }
}

internal import Cryptography
internal import FileStorage
internal import InstallationKeys

/// Keys in files, for machines without a device that keeps them.
///
/// Each key is a P-256 key in a file of its own with mode 0600, its identifier in hexadecimal and `.key`; beside it stands
/// its counter. Whoever becomes this user can copy it. Several processes may use one directory.
public struct SoftwareAttestationProvider: AttestationProvider {
    private let directory: String
    private let appID: String

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - directory: A directory that is there, in which nobody else can replace files.
    ///   - appID: The app's identifier, which the backend expects.
    public init(directory: String, appID: String) {
        self.directory = directory
        self.appID = appID
    }

    /// True.
    public var isSupported: Bool { true }

    /// Makes a key and its files, which are on the disk when this returns.
    ///
    /// - Throws: ``AttestationClientError`` with code `storeDamaged`, `storeFailed` or `cryptographyFailure`.
    public func generateKey() throws(AttestationClientError) -> String {
        let key: PrivateKey
        var octets: [UInt8]
        do throws(CryptographyError) {
            key = try PrivateKey.generate(.p256)
            octets = try key.pkcs8PEMOctets()
        } catch { throw AttestationClientError(error) }
        defer { SecretBytes.clear(&octets) }
        let identifier = try KeyIdentifier(of: key.publicKey)
        // The counter first: a key without one would be damaged.
        try counter(identifier).create()
        try AttestationClientError.file { () throws(FileStorageError) in
            try PrivateFile(path: path(identifier)).create(octets)
        }
        return identifier.text
    }

    /// Has the key vouch for itself.
    ///
    /// - Throws: ``AttestationClientError`` with code `keyInvalid` when there is no such key, `storeDamaged`, `storeFailed`,
    ///   `invalidClientDataHash` or `cryptographyFailure`.
    public func attestKey(
        _ keyID: String,
        clientDataHash: [UInt8]
    ) throws(AttestationClientError) -> [UInt8] {
        try objects(KeyIdentifier(keyID)).attestation(clientDataHash: clientDataHash)
    }

    /// Signs with the next number of the key's counter.
    ///
    /// - Throws: ``AttestationClientError`` as ``attestKey(_:clientDataHash:)``, and with code `counterExhausted`.
    public func generateAssertion(
        _ keyID: String,
        clientDataHash: [UInt8]
    ) throws(AttestationClientError) -> [UInt8] {
        let identifier = try KeyIdentifier(keyID)
        let objects = try objects(identifier)
        try AuthenticatorObjects.check(clientDataHash)
        let number: UInt32
        do throws(AttestationClientError) { number = try counter(identifier).next() } catch {
            // Another process may have removed the key just now, and its counter with it.
            _ = try self.objects(identifier)
            throw error
        }
        return try objects.assertion(counter: number, clientDataHash: clientDataHash)
    }

    /// Removes the files of a key.
    ///
    /// - Throws: ``AttestationClientError`` with code `keyInvalid` for a text that is no identifier, `storeDamaged` or
    ///   `storeFailed`.
    public func removeKey(_ keyID: String) throws(AttestationClientError) {
        let identifier = try KeyIdentifier(keyID)
        do throws(FileStorageError) { try PrivateFile(path: path(identifier)).remove() } catch {
            guard error.code == .notFound else { throw AttestationClientError(error) }
        }
        try counter(identifier).remove()
    }

    private func path(_ identifier: KeyIdentifier) -> String { "\(directory)/\(identifier.fileName).key" }

    private func counter(_ identifier: KeyIdentifier) -> AssertionCounter {
        AssertionCounter(path: "\(directory)/\(identifier.fileName).counter")
    }

    private func objects(_ identifier: KeyIdentifier) throws(AttestationClientError) -> AuthenticatorObjects {
        let path = path(identifier)
        let key: PrivateKey
        do throws(InstallationKeyError) { key = try InstallationKeyFile(path: path).load() } catch {
            throw AttestationClientError(error)
        }
        guard try KeyIdentifier(of: key.publicKey).octets == identifier.octets else {
            throw AttestationClientError(.storeDamaged, at: path, "the file holds another key")
        }
        return AuthenticatorObjects(appID: appID, key: key)
    }
}

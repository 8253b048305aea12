public import Cryptography
internal import FileStorage
internal import Locking

/// Keys in a TPM 2.0, or in a smart card or security module (PKCS #11), which cannot be copied.
///
/// What is in files here is no secret of its own: the text of a TPM's key, which that TPM alone can use, and the counters.
/// Counting is this library's part, since the devices have no counter for each key: whoever becomes this user can set a
/// counter back, and the backend refuses what comes of it. The attestation says no more than that the client has the
/// private key: that it is in a device is for the enrolment to find out.
///
/// A call takes as long as the device and holds its thread meanwhile.
public final class DeviceAttestationProvider: AttestationProvider {
    private enum Source {
        /// Keys that the TPM makes when they are wanted.
        case generated
        /// Keys that were made by other means, in the order in which they are used.
        case places([String])
    }

    private let device: KeyProvider
    private let source: Source
    private let directory: String
    private let appID: String
    private let passphrase: SecretBytes?
    /// The key that was used last: loading one takes longer than signing, and a TPM has room for few.
    private let loaded = Mutex<(identifier: [UInt8], key: PrivateKey)?>(nil)

    /// Makes a provider whose keys a TPM makes.
    ///
    /// - Parameters:
    ///   - device: The TPM.
    ///   - directory: A directory that is there, in which nobody else can replace files.
    ///   - appID: The app's identifier, which the backend expects.
    ///   - passphrase: What the TPM demands for each use of a key; nil for nothing.
    public init(
        generatingIn device: KeyProvider,
        directory: String,
        appID: String,
        passphrase: SecretBytes? = nil
    ) {
        self.device = device
        source = .generated
        self.directory = directory
        self.appID = appID
        self.passphrase = passphrase
    }

    /// Makes a provider of keys that are in a device already.
    ///
    /// - Parameters:
    ///   - places: The URIs of the keys, as `PrivateKey` takes them. The first is used until it is refused, then the next: one
    ///     that was removed is not used again, which a file `.retired` remembers.
    ///   - device: The device.
    ///   - directory: A directory for counters that is there, in which nobody else can replace files.
    ///   - appID: The app's identifier, which the backend expects.
    ///   - passphrase: The passphrase or PIN; nil for keys without.
    public init(
        keysAt places: [String],
        in device: KeyProvider,
        directory: String,
        appID: String,
        passphrase: SecretBytes? = nil
    ) {
        self.device = device
        source = .places(places)
        self.directory = directory
        self.appID = appID
        self.passphrase = passphrase
    }

    /// Whether there can be keys: the device was reached when its `KeyProvider` was made.
    public var isSupported: Bool {
        switch source {
        case .generated: device.name == "tpm2"
        case .places(let places): !places.isEmpty
        }
    }

    /// Makes a key in the TPM, or takes the first of the places that was not removed.
    ///
    /// - Throws: ``AttestationClientError`` with code `unavailable`, `exhausted` when every place was removed, `keyInvalid`,
    ///   `storeDamaged`, `storeFailed` or `cryptographyFailure`.
    public func generateKey() throws(AttestationClientError) -> String {
        switch source {
        case .generated:
            let made = try AttestationClientError.cryptography { () throws(CryptographyError) in
                try device.generateKey(passphrase: passphrase)
            }
            let identifier = try KeyIdentifier(of: made.privateKey.publicKey)
            try counter(identifier).create()
            try AttestationClientError.file { () throws(FileStorageError) in
                try file(identifier, ".tpm").create(Array(made.pem.utf8))
            }
            keep(made.privateKey, identifier)
            return identifier.text
        case .places(let places):
            for place in places {
                let key = try key(at: place)
                let identifier = try KeyIdentifier(of: key.publicKey)
                guard try contents(of: file(identifier, ".retired")) == nil else { continue }
                try counter(identifier).create()
                keep(key, identifier)
                return identifier.text
            }
            throw AttestationClientError(.exhausted, "there is no further key in the device")
        }
    }

    /// Has the key vouch for itself.
    ///
    /// - Throws: ``AttestationClientError`` with code `keyInvalid` when there is no such key, or the device was cleared;
    ///   `unavailable`, `storeDamaged`, `storeFailed`, `invalidClientDataHash` or `cryptographyFailure`, the last also for a
    ///   wrong passphrase.
    public func attestKey(
        _ keyID: String,
        clientDataHash: [UInt8]
    ) throws(AttestationClientError) -> [UInt8] {
        let identifier = try KeyIdentifier(keyID)
        return try using(identifier) { objects throws(AttestationClientError) in
            try objects.attestation(clientDataHash: clientDataHash)
        }
    }

    /// Signs with the next number of the key's counter.
    ///
    /// - Throws: ``AttestationClientError`` as ``attestKey(_:clientDataHash:)``, and with code `counterExhausted`.
    public func generateAssertion(
        _ keyID: String,
        clientDataHash: [UInt8]
    ) throws(AttestationClientError) -> [UInt8] {
        let identifier = try KeyIdentifier(keyID)
        return try using(identifier) { objects throws(AttestationClientError) in
            try AuthenticatorObjects.check(clientDataHash)
            let number = try counter(identifier).next()
            return try objects.assertion(counter: number, clientDataHash: clientDataHash)
        }
    }

    /// Removes the files of a TPM's key, which nobody can use then, or takes a place out of use.
    ///
    /// - Throws: ``AttestationClientError`` with code `keyInvalid` for a text that is no identifier, `storeDamaged` or
    ///   `storeFailed`.
    public func removeKey(_ keyID: String) throws(AttestationClientError) {
        let identifier = try KeyIdentifier(keyID)
        // After the files, since a call that began before may load the key once more.
        defer { forget(identifier) }
        guard case .generated = source else {
            // The counter stays: it must not begin again, should somebody remove the mark.
            return try AttestationClientError.file { () throws(FileStorageError) in
                try file(identifier, ".retired").replace([])
            }
        }
        do throws(FileStorageError) { try file(identifier, ".tpm").remove() } catch {
            guard error.code == .notFound else { throw AttestationClientError(error) }
        }
        try counter(identifier).remove()
    }

    /// Removes the files of a TPM's key; a place stays in use, since its key is as good as before.
    ///
    /// - Throws: As ``removeKey(_:)``.
    public func discardKey(_ keyID: String) throws(AttestationClientError) {
        if case .generated = source { try removeKey(keyID) }
    }

    private func file(_ identifier: KeyIdentifier, _ ending: String) -> PrivateFile {
        PrivateFile(path: "\(directory)/\(identifier.fileName)\(ending)", maximumSize: 4096)
    }

    private func counter(_ identifier: KeyIdentifier) -> AssertionCounter {
        AssertionCounter(path: "\(directory)/\(identifier.fileName).counter")
    }

    private func contents(of file: PrivateFile) throws(AttestationClientError) -> [UInt8]? {
        do throws(FileStorageError) { return try file.read() } catch {
            guard error.code == .notFound else { throw AttestationClientError(error) }
            return nil
        }
    }

    /// Runs work with a key, and lets go of the key when it fails: the device may have been cleared, or replaced.
    private func using(
        _ identifier: KeyIdentifier,
        _ body: (AuthenticatorObjects) throws(AttestationClientError) -> [UInt8]
    ) throws(AttestationClientError) -> [UInt8] {
        let objects = AuthenticatorObjects(appID: appID, key: try key(identifier))
        do throws(AttestationClientError) { return try body(objects) } catch {
            forget(identifier)
            // Another process may have removed the key just now, and its counter with it.
            try demandPresence(of: identifier)
            throw error
        }
    }

    /// Refuses a key that was removed, here or by another process: one that is kept in memory, or in the device, does not
    /// tell.
    private func demandPresence(of identifier: KeyIdentifier) throws(AttestationClientError) {
        switch source {
        case .generated:
            let file = file(identifier, ".tpm")
            guard try contents(of: file) != nil else {
                throw AttestationClientError(.keyInvalid, at: file.path, "there is no such key")
            }
        case .places:
            guard try contents(of: file(identifier, ".retired")) == nil else {
                throw AttestationClientError(.keyInvalid, "the key was taken out of use")
            }
        }
    }

    private func key(_ identifier: KeyIdentifier) throws(AttestationClientError) -> PrivateKey {
        do throws(AttestationClientError) { try demandPresence(of: identifier) } catch {
            forget(identifier)
            throw error
        }
        let kept = loaded.withLock { $0 }
        if let kept, kept.identifier == identifier.octets { return kept.key }
        let key = try load(identifier)
        keep(key, identifier)
        return key
    }

    private func load(_ identifier: KeyIdentifier) throws(AttestationClientError) -> PrivateKey {
        switch source {
        case .generated:
            let file = file(identifier, ".tpm")
            guard let octets = try contents(of: file) else {
                throw AttestationClientError(.keyInvalid, at: file.path, "there is no such key")
            }
            guard let text = String(validating: octets, as: UTF8.self) else {
                throw AttestationClientError(.storeDamaged, at: file.path, "the key is damaged")
            }
            let key: PrivateKey
            do throws(CryptographyError) {
                key = try PrivateKey(pem: text, provider: device, passphrase: passphrase)
            } catch {
                guard error.code == .invalidPEM else { throw AttestationClientError(error) }
                throw AttestationClientError(
                    .storeDamaged,
                    at: file.path,
                    "the key is damaged",
                    underlying: error
                )
            }
            guard try KeyIdentifier(of: key.publicKey).octets == identifier.octets else {
                throw AttestationClientError(.storeDamaged, at: file.path, "the file holds another key")
            }
            return key
        case .places(let places):
            for place in places {
                let key = try key(at: place)
                if try KeyIdentifier(of: key.publicKey).octets == identifier.octets { return key }
            }
            throw AttestationClientError(.keyInvalid, "the key is at none of the places in the device")
        }
    }

    private func key(at place: String) throws(AttestationClientError) -> PrivateKey {
        try AttestationClientError.cryptography { () throws(CryptographyError) in
            try PrivateKey(storeURI: place, provider: device, passphrase: passphrase)
        }
    }

    private func keep(_ key: PrivateKey, _ identifier: KeyIdentifier) {
        loaded.withLock { $0 = (identifier.octets, key) }
    }

    private func forget(_ identifier: KeyIdentifier) {
        loaded.withLock { if $0?.identifier == identifier.octets { $0 = nil } }
    }
}

public import Cryptography
internal import FileStorage

/// The private key of one installation, in a file of its own.
///
/// The file is a P-256 key in PEM (PKCS #8, one block PRIVATE KEY and nothing around it) with mode 0600. It is made
/// whole or not at all, and several processes may start at once. It must be the user's own file, not a symbolic link,
/// closed to everybody else, in a directory where nobody else can replace it. What is damaged, of another kind or not
/// safe is an error and stays as it is: only a person can tell whether it still matters.
///
/// A key in a file can be copied by whoever becomes this user. One in a TPM cannot: with a `KeyProvider` for TPMs the key is made
/// in the TPM, and the file, one block TSS2 PRIVATE KEY, is of use with that TPM alone. All else is the same.
///
/// Beside the file there may be two others, its path with `.next` (a successor, see ``prepareSuccessor()``) and `.lock`
/// behind it. The calls read and write files, and wait for another process that changes the same ones just now.
public struct InstallationKeyFile: Sendable {
    /// The path of the key file.
    public let path: String

    private static let maximumSize = 4096

    private let form: KeyForm

    /// Names a key file, which need not be there.
    public init(path: String) {
        self.path = path
        form = .software
    }

    /// Names the file of a key in a TPM.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which need not be there.
    ///   - provider: The provider of the TPM, which the keys keep.
    ///   - passphrase: What the TPM demands for each use of the key, 1 to 32 octets, none of them 0; nil for nothing. It tells
    ///     whether it is right at the first signature only.
    public init(path: String, provider: KeyProvider, passphrase: SecretBytes? = nil) {
        self.path = path
        form = .device(provider, passphrase)
    }

    var current: PrivateFile { PrivateFile(path: path, maximumSize: Self.maximumSize) }

    /// Reads the key.
    ///
    /// - Throws: ``InstallationKeyError`` with code `notFound`, `unsafeFile`, `damaged`, `wrongKind`, `inputOutput`,
    ///   `deviceUnavailable`, `wrongPassphrase` or `cryptographyFailure`.
    public func load() throws(InstallationKeyError) -> PrivateKey { try load(current) }

    /// Makes a new key and its file.
    ///
    /// - Throws: ``InstallationKeyError`` with code `alreadyExists` when anything is at the path, `notFound` when its
    ///   directory is missing, `unsafeFile`, `inputOutput`, `deviceUnavailable` or `cryptographyFailure`.
    public func create() throws(InstallationKeyError) -> PrivateKey {
        try locked { () throws(InstallationKeyError) in try create(current) }
    }

    /// Reads the key, or makes one when there is no file.
    ///
    /// Processes that start at the same time all end with the same key.
    ///
    /// - Throws: ``InstallationKeyError`` as ``load()`` and ``create()`` say; `notFound` for a missing directory.
    public func loadOrCreate() throws(InstallationKeyError) -> PrivateKey {
        if let key = try loadIfPresent(current) { return key }
        return try locked { () throws(InstallationKeyError) in try loadOrCreate(current) }
    }

    /// Runs a closure while no other process changes these files.
    func locked<Result>(
        _ body: () throws(InstallationKeyError) -> Result
    ) throws(InstallationKeyError) -> Result {
        try current.withLock(convert: InstallationKeyError.init, body)
    }

    /// Reads a key file, or gives nil when there is none.
    func loadIfPresent(_ file: PrivateFile) throws(InstallationKeyError) -> PrivateKey? {
        do throws(InstallationKeyError) {
            return try load(file)
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    func loadOrCreate(_ file: PrivateFile) throws(InstallationKeyError) -> PrivateKey {
        if let key = try loadIfPresent(file) { return key }
        return try create(file)
    }

    func load(_ file: PrivateFile) throws(InstallationKeyError) -> PrivateKey {
        var octets: [UInt8]
        do throws(FileStorageError) { octets = try file.read() } catch { throw InstallationKeyError(error) }
        defer { SecretBytes.clear(&octets) }
        let key: PrivateKey
        do throws(CryptographyError) { key = try form.read(octets) } catch {
            throw InstallationKeyError(error, in: file.path)
        }
        guard key.keyType == .p256 else {
            throw InstallationKeyError(.wrongKind, "\(file.path): the key is not one of P-256")
        }
        return key
    }

    func create(_ file: PrivateFile) throws(InstallationKeyError) -> PrivateKey {
        let key: PrivateKey
        var octets: [UInt8]
        do throws(CryptographyError) { (key, octets) = try form.make() } catch {
            throw InstallationKeyError(error, in: file.path)
        }
        defer { SecretBytes.clear(&octets) }
        do throws(FileStorageError) { try file.create(octets) } catch { throw InstallationKeyError(error) }
        return key
    }
}

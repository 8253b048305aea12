public import Cryptography
internal import FileStorage

/// The private key of one installation, in a file of its own.
///
/// The file is a P-256 key in PEM (PKCS #8, one block PRIVATE KEY and nothing around it) with mode 0600. It is made
/// whole or not at all, and several processes may start at once. It must be the user's own file, not a symbolic link,
/// closed to everybody else, in a directory where nobody else can replace it. What is damaged, of another kind or not
/// safe is an error and stays as it is: only a person can tell whether it still matters.
///
/// A key in a file can be copied by whoever becomes this user. One in a TPM cannot: see `KeyProvider` in Cryptography.
///
/// Beside the file there may be two others, its path with `.next` (a successor, see ``prepareSuccessor()``) and `.lock`
/// behind it. The calls read and write files, and wait for another process that changes the same ones just now.
public struct InstallationKeyFile: Sendable {
    /// The path of the key file.
    public let path: String

    private static let maximumSize = 4096

    /// Names a key file, which need not be there.
    public init(path: String) { self.path = path }

    var current: PrivateFile { PrivateFile(path: path, maximumSize: Self.maximumSize) }

    /// Reads the key.
    ///
    /// - Throws: ``InstallationKeyError`` with code `notFound`, `unsafeFile`, `damaged`, `wrongKind`, `inputOutput` or
    ///   `cryptographyFailure`.
    public func load() throws(InstallationKeyError) -> PrivateKey { try Self.load(current) }

    /// Makes a new key and its file.
    ///
    /// - Throws: ``InstallationKeyError`` with code `alreadyExists` when anything is at the path, `notFound` when its
    ///   directory is missing, `unsafeFile`, `inputOutput` or `cryptographyFailure`.
    public func create() throws(InstallationKeyError) -> PrivateKey {
        try locked { () throws(InstallationKeyError) in try Self.create(current) }
    }

    /// Reads the key, or makes one when there is no file.
    ///
    /// Processes that start at the same time all end with the same key.
    ///
    /// - Throws: ``InstallationKeyError`` as ``load()`` and ``create()`` say; `notFound` for a missing directory.
    public func loadOrCreate() throws(InstallationKeyError) -> PrivateKey {
        if let key = try Self.loadIfPresent(current) { return key }
        return try locked { () throws(InstallationKeyError) in try Self.loadOrCreate(current) }
    }

    /// Runs a closure while no other process changes these files.
    func locked<Result>(
        _ body: () throws(InstallationKeyError) -> Result
    ) throws(InstallationKeyError) -> Result {
        try current.withLock(convert: InstallationKeyError.init, body)
    }

    /// Reads a key file, or gives nil when there is none.
    static func loadIfPresent(_ file: PrivateFile) throws(InstallationKeyError) -> PrivateKey? {
        do throws(InstallationKeyError) {
            return try load(file)
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    static func loadOrCreate(_ file: PrivateFile) throws(InstallationKeyError) -> PrivateKey {
        if let key = try loadIfPresent(file) { return key }
        return try create(file)
    }

    static func load(_ file: PrivateFile) throws(InstallationKeyError) -> PrivateKey {
        var octets: [UInt8]
        do throws(FileStorageError) { octets = try file.read() } catch { throw InstallationKeyError(error) }
        defer { SecretBytes.clear(&octets) }
        let key: PrivateKey
        do throws(CryptographyError) { key = try PrivateKey(pkcs8PEM: octets) } catch {
            throw InstallationKeyError(error, in: file.path)
        }
        guard key.keyType == .p256 else {
            throw InstallationKeyError(.wrongKind, "\(file.path): the key is not one of P-256")
        }
        return key
    }

    static func create(_ file: PrivateFile) throws(InstallationKeyError) -> PrivateKey {
        let key: PrivateKey
        var octets: [UInt8]
        do throws(CryptographyError) {
            key = try PrivateKey.generate(.p256)
            octets = try key.pkcs8PEMOctets()
        } catch { throw InstallationKeyError(error, in: file.path) }
        defer { SecretBytes.clear(&octets) }
        do throws(FileStorageError) { try file.create(octets) } catch { throw InstallationKeyError(error) }
        return key
    }
}

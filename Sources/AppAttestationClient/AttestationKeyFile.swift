internal import FileStorage

/// The record of an installation's key in a file of its own.
///
/// The file has mode 0600, is written whole or not at all, and must be the user's own, in a directory where nobody else
/// can replace it. What is damaged or not safe is an error and stays as it is. Beside it stand its path with `.lock` and
/// with `.claim.lock` behind it, which are empty: locks between processes, which end with the process that holds them.
public struct AttestationKeyFile: AttestationKeyStore {
    /// The path of the file.
    public let path: String

    private static let maximumSize = 4096

    /// Names a file, which need not be there.
    public init(path: String) { self.path = path }

    private var file: PrivateFile { PrivateFile(path: path, maximumSize: Self.maximumSize) }

    /// Reads the record; a new one when there is no file.
    ///
    /// - Throws: ``AttestationClientError`` with code `storeDamaged` or `storeFailed`.
    public func load() throws(AttestationClientError) -> AttestationRecord {
        let octets: [UInt8]
        do throws(FileStorageError) { octets = try file.read() } catch {
            // A missing directory says the same, and is told when the record is to be kept.
            guard error.code == .notFound else { throw AttestationClientError(error) }
            return AttestationRecord()
        }
        guard let record = AttestationRecord(octets) else {
            throw AttestationClientError(.storeDamaged, at: path, "the record is damaged")
        }
        return record
    }

    /// Changes the record under the lock.
    ///
    /// - Throws: What the closure throws; ``AttestationClientError`` with code `storeDamaged` or `storeFailed`.
    public func update<Result: Sendable>(
        _ change: @Sendable (inout AttestationRecord) throws -> Result
    ) throws -> Result {
        try file.withLock(convert: { AttestationClientError($0) as any Error }) {
            let before = try load()
            var record = before
            let result = try change(&record)
            if record != before {
                try AttestationClientError.file { () throws(FileStorageError) in
                    try file.replace(record.serialized())
                }
            }
            return result
        }
    }

    /// Takes the lock for an attestation, if it is free.
    ///
    /// - Throws: ``AttestationClientError`` with code `storeDamaged` or `storeFailed`.
    public func claim() throws(AttestationClientError) -> (any AttestationClaim)? {
        try AttestationClientError.file { () throws(FileStorageError) in
            try PrivateFile(path: path + ".claim").lockIfAvailable().map(Claim.init)
        }
    }

    private final class Claim: AttestationClaim {
        private let lock: FileLock

        init(_ lock: FileLock) { self.lock = lock }
    }
}

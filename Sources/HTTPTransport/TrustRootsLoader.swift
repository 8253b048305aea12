import Cryptography
import Glibc
import Locking

/// Loads roots of trust: those of the system once for all sessions, as long as their file does not change.
enum TrustRootsLoader {
    private struct FileIdentity: Equatable {
        let inode: UInt
        let size: Int
        let seconds: Int
        let nanoseconds: Int
    }

    private static let system = Mutex<(identity: FileIdentity, store: TrustStore)?>(nil)

    /// - Throws: ``TransportError`` with code `invalidConfiguration` when roots or lists cannot be read.
    static func load(
        _ roots: CurlSession.TrustRoots,
        revocationLists: [UInt8]?
    ) throws(TransportError) -> TrustStore {
        switch roots {
        case .pem(let bytes): return try store(bytes, revocationLists)
        case .file(let path): return try store(try read(path).bytes, revocationLists)
        case .system:
            guard revocationLists == nil else {
                return try store(try read(CurlLibrary.systemRoots).bytes, revocationLists)
            }
            let result: Result<TrustStore, TransportError> = system.withLock { cached in
                do throws(TransportError) {
                    if let cached, try identity(CurlLibrary.systemRoots) == cached.identity {
                        return .success(cached.store)
                    }
                    let (identity, bytes) = try read(CurlLibrary.systemRoots)
                    let store = try store(bytes, nil)
                    cached = (identity, store)
                    return .success(store)
                } catch {
                    return .failure(error)
                }
            }
            return try result.get()
        }
    }

    private static func store(_ roots: [UInt8], _ lists: [UInt8]?) throws(TransportError) -> TrustStore {
        do throws(CryptographyError) {
            return try TrustStore(roots: roots, revocationLists: lists)
        } catch {
            throw TransportError(.invalidConfiguration, "the trust roots or revocation lists are not PEM")
        }
    }

    private static func identity(_ path: String) throws(TransportError) -> FileIdentity {
        var status = stat()
        // A pipe would keep the caller waiting for ever.
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw unreadable }
        return FileIdentity(
            inode: UInt(status.st_ino),
            size: Int(status.st_size),
            seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec
        )
    }

    /// The octets of a file of certificates.
    static func bytes(of path: String) throws(TransportError) -> [UInt8] { try read(path).bytes }

    private static func read(
        _ path: String
    ) throws(TransportError) -> (identity: FileIdentity, bytes: [UInt8]) {
        guard !path.utf8.contains(0) else { throw unreadable }
        let identity = try identity(path)
        guard let file = unsafe fopen(path, "re") else { throw unreadable }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: max(identity.size, 1))
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe fread($0.baseAddress, 1, $0.count, file) }
        guard count == identity.size else { throw unreadable }
        return (identity, Array(bytes.prefix(count)))
    }

    private static var unreadable: TransportError {
        TransportError(.invalidConfiguration, "the file of certificates cannot be read")
    }
}

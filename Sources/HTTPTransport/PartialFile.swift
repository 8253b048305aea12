import Cryptography
import Encodings
import Glibc
import HTTPMessages

/// A file that grows beside its final name and takes that name when it is whole.
final class PartialFile {
    private let path: String
    private let partialPath: String
    private let descriptor: Int32
    private var isFinished = false
    private let isKept: Bool

    /// Opens the file beside `path`.
    ///
    /// - Parameters:
    ///   - path: The final name; a file there stays until the new one is whole.
    ///   - isKept: Whether what was written stays when the file does not become whole, under a name that the next try
    ///     finds. What is there under that name is taken up only if nobody else can have made or changed it: it goes
    ///     otherwise.
    /// - Throws: ``TransportError`` with code `fileFailed`, also when somebody else writes a file that is kept.
    init(_ path: String, isKept: Bool) throws(TransportError) {
        guard !path.utf8.contains(0), !path.isEmpty else {
            throw TransportError(.fileFailed, "the path of the download cannot be")
        }
        self.path = path
        self.isKept = isKept
        partialPath = Self.partialPath(path, isKept: isKept)
        if isKept, let kept = Self.openOwn(partialPath, O_RDWR) {
            descriptor = kept
        } else {
            if isKept { unsafe unlink(partialPath) }
            descriptor = Self.create(partialPath)
        }
        guard descriptor >= 0 else { throw Self.failure("opened") }
        // The descriptor is closed by deinit, which runs for an error from here on too.
        if isKept, !holdsAlone {
            throw TransportError(.fileFailed, "another download writes the file")
        }
    }

    /// Whether this is the only one that writes the file, and the file still has its name.
    ///
    /// The lock goes with the descriptor, in this process or any other (flock(2)).
    private var holdsAlone: Bool {
        var (own, named) = (stat(), stat())
        return unsafe flock(descriptor, LOCK_EX | LOCK_NB) == 0 && fstat(descriptor, &own) == 0
            && lstat(partialPath, &named) == 0 && own.st_dev == named.st_dev && own.st_ino == named.st_ino
    }

    /// Opens a regular file that has one name, belongs to the user and that no other may write; nil for anything else.
    private static func openOwn(_ path: String, _ mode: Int32) -> Int32? {
        let descriptor = unsafe open(path, mode | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == geteuid(), status.st_nlink == 1, status.st_mode & (S_IWGRP | S_IWOTH) == 0
        else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func create(_ path: String) -> Int32 {
        unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }

    deinit {
        // Nothing is nothing to go on with; what another download has begun since is not this one's.
        let isOfUse = isKept && ((try? size()) != 0 || !holdsAlone)
        if !isFinished, !isOfUse {
            unsafe unlink(partialPath)
            unsafe unlink(validatorPath)
        }
        close(descriptor)
    }

    /// How much of the file is there.
    func size() throws(TransportError) -> Int {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw Self.failure("read") }
        return Int(status.st_size)
    }

    /// What the server said of the content that is there, as ``setValidator(_:of:)`` has kept it for the target.
    func validator(of target: RequestTarget) -> String? {
        guard let file = Self.openOwn(validatorPath, O_RDONLY) else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
        guard count > 0, count < bytes.count, let hash = try? Self.hash(of: target),
            let text = String(validating: bytes.prefix(count), as: UTF8.self), text.hasPrefix(hash)
        else { return nil }
        return String(text.dropFirst(hash.count))
    }

    /// Keeps what tells whether a later answer is of the same content; nil forgets it.
    ///
    /// An entity tag tells contents of one target apart, and nothing of those of two (RFC 9110, section 8.8.3).
    func setValidator(_ validator: String?, of target: RequestTarget) throws(TransportError) {
        unsafe unlink(validatorPath)
        guard isKept, let validator else { return }
        let file = Self.create(validatorPath)
        guard file >= 0 else { throw Self.failure("written") }
        defer { close(file) }
        let bytes = Array((try Self.hash(of: target) + validator).utf8)
        guard unsafe write(file, bytes, bytes.count) == bytes.count else { throw Self.failure("written") }
    }

    /// Tells targets apart without showing a query, which may hold a secret.
    private static func hash(of target: RequestTarget) throws(TransportError) -> String {
        do throws(CryptographyError) {
            return Hex.encode(try HashAlgorithm.sha256.hash(Array(target.absoluteString.utf8))) + " "
        } catch {
            throw TransportError(.internalError, "the target cannot be hashed")
        }
    }

    /// Starts again from nothing.
    func truncate() throws(TransportError) {
        guard ftruncate(descriptor, 0) == 0 else { throw Self.failure("written") }
    }

    func append(_ bytes: [UInt8]) throws(TransportError) {
        guard lseek(descriptor, 0, SEEK_END) >= 0 else { throw Self.failure("written") }
        var position = 0
        while position < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe write(
                    descriptor,
                    bytes.baseAddress.map { unsafe $0 + position },
                    bytes.count - position
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure("written") }
            position += count
        }
    }

    /// Gives the file its name, in the place of one that had it.
    func finish() throws(TransportError) {
        guard fsync(descriptor) == 0, unsafe rename(partialPath, path) == 0 else {
            throw Self.failure("written")
        }
        isFinished = true
        unsafe unlink(validatorPath)
    }

    private var validatorPath: String { partialPath + ".validator" }

    private static func partialPath(_ path: String, isKept: Bool) -> String {
        isKept ? path + ".part" : path + ".part-" + String(UInt64.random(in: .min ... .max), radix: 36)
    }

    private static func failure(_ what: String) -> TransportError {
        TransportError(.fileFailed, "the file of the download cannot be \(what)", errorNumber: errno)
    }
}

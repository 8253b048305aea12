import Glibc

/// A small file that belongs to one user and that nobody else may read, write or replace.
///
/// The file must be regular, not a symbolic link, owned by the effective user and without any permission for the group
/// or others. Its directory must be the user's or root's, and no other may write to it unless it has the sticky bit, as
/// `/tmp` has: whoever can write to a directory can put another file in the place of this one. Directories further up
/// are not looked at. What is refused is left as it is.
///
/// What is written stands beside the file until it is whole, under a name of its own where the system cannot do without one. A
/// process that ends just then leaves that; the next call that makes, replaces or removes the file removes it too.
///
/// Contents come and go as octets. If they are secret, the caller clears them.
package struct PrivateFile: Sendable, Hashable {
    /// The path as it was given.
    package let path: String
    /// The most octets that are read.
    package let maximumSize: Int

    private var name: String { Directory.split(path).name }

    /// Names a file, which need not be there.
    package init(path: String, maximumSize: Int = 64 << 10) {
        self.path = path
        self.maximumSize = maximumSize
    }

    /// Reads the whole file.
    ///
    /// - Returns: The octets, in an array that has no copy.
    /// - Throws: ``FileStorageError`` with code `notFound`, `symbolicLink`, `notAFile`, `foreignOwner`, `openPermissions`,
    ///   `tooLarge`, `unsafeDirectory`, `invalidPath` or `inputOutput`.
    package func read() throws(FileStorageError) -> [UInt8] {
        let file = try Directory.open(of: self).open(name, O_RDONLY)
        let status = try file.demandOwnFile()
        guard status.st_mode & (S_IRWXG | S_IRWXO) == 0 else {
            throw FileStorageError(.openPermissions, path, "others have rights to it: 'chmod 600' it")
        }
        return try file.read(limit: maximumSize, expecting: Int(status.st_size))
    }

    /// Makes the file, with mode 0600, unless there is something at its path.
    ///
    /// It appears with all its contents or not at all, whenever the machine stops.
    ///
    /// - Throws: ``FileStorageError`` with code `alreadyExists`, `notFound` when there is no directory,
    ///   `unsafeDirectory`, `invalidPath` or `inputOutput`.
    package func create(_ contents: [UInt8]) throws(FileStorageError) {
        let directory = try Directory.open(of: self)
        try directory.removeLeftovers(of: name)
        guard try !directory.writeUnnamed(contents, as: name) else { return }
        try directory.write(contents) { directory.link($0, name) }
    }

    /// Puts new contents in the place of the file, or makes it.
    ///
    /// A reader sees the old file or the new one, whenever the machine stops.
    ///
    /// - Throws: ``FileStorageError`` with code `notFound` when there is no directory, `notAFile` for a directory at the
    ///   path, `unsafeDirectory`, `invalidPath` or `inputOutput`.
    package func replace(_ contents: [UInt8]) throws(FileStorageError) {
        let directory = try Directory.open(of: self)
        try directory.removeLeftovers(of: name)
        try directory.write(contents) { directory.rename($0, name) }
    }

    /// Renames another file of the same directory over this one, in one step.
    ///
    /// - Throws: ``FileStorageError`` with code `notFound` when the other is not there, `invalidPath` when it is in
    ///   another directory, `unsafeDirectory` or `inputOutput`.
    package func replace(by other: PrivateFile) throws(FileStorageError) {
        let (folder, source) = Directory.split(other.path)
        guard folder == Directory.split(path).folder, !["", ".", ".."].contains(source),
            !source.utf8.contains(0)
        else {
            throw FileStorageError(.invalidPath, other.path, "it is not in the directory of \(path)")
        }
        let directory = try Directory.open(of: self)
        // A leftover can be a second name of either file.
        for name in [name, source] { try directory.removeLeftovers(of: name) }
        try directory.move(source, over: name)
    }

    /// Removes the file, whatever it is, but not a directory.
    ///
    /// - Throws: ``FileStorageError`` with code `notFound`, `notAFile`, `unsafeDirectory`, `invalidPath` or
    ///   `inputOutput`.
    package func remove() throws(FileStorageError) {
        let directory = try Directory.open(of: self)
        try directory.removeLeftovers(of: name)
        try directory.remove(name)
    }

    /// Runs a closure while no other process or thread runs one under the lock of the same path.
    ///
    /// The lock is on a file beside this one, its path with `.lock` behind it, which is made when it is missing and stays.
    /// It binds those who ask for it only, and it ends with the process that holds it. The call waits for it, and holds
    /// its thread while it does, so the closure should be short. Calls must not be nested.
    ///
    /// - Throws: What the closure throws, or ``FileStorageError`` of the lock file, turned into the closure's kind of
    ///   error by `convert`.
    package func withLock<Result, Failure: Error>(
        convert: (FileStorageError) -> Failure,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let lock: Descriptor?
        do throws(FileStorageError) { lock = try acquire(LOCK_EX) } catch { throw convert(error) }
        // The lock ends when its descriptor is closed.
        return try withExtendedLifetime(lock) { _ throws(Failure) in try body() }
    }

    /// Takes the lock that ``withLock(convert:_:)`` waits for, to hold it for longer, as over calls to a network.
    ///
    /// - Returns: The lock; nil when another process, or another part of this one, has it.
    /// - Throws: ``FileStorageError`` of the lock file.
    package func lockIfAvailable() throws(FileStorageError) -> FileLock? {
        guard let lock = try acquire(LOCK_EX | LOCK_NB) else { return nil }
        return FileLock(lock)
    }

    /// Locks the file beside this one; nil when the operation does not wait and another has the lock.
    private func acquire(_ operation: Int32) throws(FileStorageError) -> Descriptor? {
        // A directory that is not there is told of by the path that the caller gave.
        _ = try Directory.open(of: self)
        let beside = PrivateFile(path: path + ".lock")
        let lock = try Directory.open(of: beside).open(beside.name, O_RDWR | O_CREAT)
        _ = try lock.demandOwnFile()
        while flock(lock.number, operation) != 0 {
            if errno == EWOULDBLOCK { return nil }
            guard errno == EINTR else { throw .system(errno, beside.path, "it cannot be locked") }
        }
        return lock
    }
}

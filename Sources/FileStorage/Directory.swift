import Glibc

/// An open directory in which no other user can replace the files of this one.
///
/// Everything goes through its descriptor, so what was checked is what is used, even if the path leads elsewhere later.
struct Directory: ~Copyable {
    let descriptor: Descriptor
    /// The path of the file that it was opened for.
    let path: String

    private init(_ descriptor: consuming Descriptor, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Opens the directory that a file is in.
    static func open(of file: PrivateFile) throws(FileStorageError) -> Directory {
        let (folder, name) = split(file.path)
        guard !["", ".", ".."].contains(name), !file.path.utf8.contains(0) else {
            throw FileStorageError(.invalidPath, file.path, "the path does not name a file")
        }
        let descriptor = try Descriptor.open(folder, O_RDONLY | O_DIRECTORY, path: file.path)
        let status = try descriptor.status()
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw FileStorageError(.unsafeDirectory, file.path, "its directory belongs to another user")
        }
        // In a directory with the sticky bit, only its owner and a file's own user can replace the file.
        guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 || status.st_mode & S_ISVTX != 0 else {
            throw FileStorageError(
                .unsafeDirectory,
                file.path,
                "others may write to its directory: 'chmod go-w' that"
            )
        }
        return Directory(descriptor, path: file.path)
    }

    /// Splits a path at its last slash.
    static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = path[..<slash]
        return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
    }

    /// Opens an entry without following a symbolic link, or waiting for the other end of a pipe.
    func open(_ name: String, _ flags: Int32) throws(FileStorageError) -> Descriptor {
        let flags = flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        return try Descriptor.open(name, in: descriptor.number, flags, path: path)
    }

    /// Writes a new file, which has no name until it is whole: whenever the process ends, nothing is left of it.
    ///
    /// - Returns: Whether it could be made so; not every file system has such files, nor every system `/proc`.
    func writeUnnamed(_ octets: [UInt8], as name: String) throws(FileStorageError) -> Bool {
        // O_TMPFILE; Swift does not see it.
        let flags = O_WRONLY | O_DIRECTORY | 0o20_000_000
        let file: Descriptor
        do throws(FileStorageError) {
            file = try Descriptor.open(".", in: descriptor.number, flags, path: path)
        } catch { return false }
        try file.write(octets, mode: S_IRUSR | S_IWUSR)
        let source = "/proc/self/fd/\(file.number)"
        guard unsafe linkat(AT_FDCWD, source, descriptor.number, name, AT_SYMLINK_FOLLOW) == 0 else {
            guard errno != EEXIST else { throw .system(errno, path, "it cannot be put in its place") }
            return false
        }
        try descriptor.synchronize()
        return true
    }

    /// Writes a new file under a name of its own, has `place` bring it to where it belongs, and leaves nothing else.
    ///
    /// What is left when the process ends in between is removed by ``removeLeftovers(of:)``.
    func write(
        _ octets: [UInt8],
        _ place: (_ temporary: String) -> Int32
    ) throws(FileStorageError) {
        while true {
            let temporary = Self.temporaryName(for: Self.split(path).name)
            let file = try open(temporary, O_WRONLY | O_CREAT | O_EXCL)
            // Where it was placed by renaming, there is nothing under this name any more.
            defer { unsafe unlinkat(descriptor.number, temporary, 0) }
            // Another process may have taken it for a leftover, before it could be locked.
            guard file.lock() != EWOULDBLOCK, try file.status().st_nlink > 0 else { continue }
            try file.write(octets, mode: S_IRUSR | S_IWUSR)
            guard withExtendedLifetime(file, { _ in place(temporary) }) == 0 else {
                throw .system(errno, path, "it cannot be put in its place")
            }
            return try descriptor.synchronize()
        }
    }

    /// Gives a file a second name, unless there is something of that name.
    func link(_ source: String, _ name: String) -> Int32 {
        unsafe linkat(descriptor.number, source, descriptor.number, name, 0)
    }

    /// Gives a file another name, in place of what had that name.
    func rename(_ source: String, _ name: String) -> Int32 {
        unsafe renameat(descriptor.number, source, descriptor.number, name)
    }

    /// Renames a file for good.
    func move(_ source: String, over name: String) throws(FileStorageError) {
        guard rename(source, name) == 0 else { throw .system(errno, path, "it cannot be renamed") }
        try descriptor.synchronize()
    }

    /// Removes a file for good.
    func remove(_ name: String) throws(FileStorageError) {
        guard unsafe unlinkat(descriptor.number, name, 0) == 0 else {
            throw .system(errno, path, "it cannot be removed")
        }
        try descriptor.synchronize()
    }
}

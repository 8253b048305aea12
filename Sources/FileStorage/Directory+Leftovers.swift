import Glibc

/// The names that files have until they are in their place, and what is left under them by processes that ended before.
extension Directory {
    /// A new name for a file that will be in the place of another.
    static func temporaryName(for name: String) -> String {
        ".\(name).\(String(UInt64.random(in: .min ... .max), radix: 16)).tmp"
    }

    /// Whether a name is one that ``temporaryName(for:)`` gives.
    static func isTemporary(_ entry: String, for name: String) -> Bool {
        let (start, end) = (".\(name).".utf8, ".tmp".utf8)
        let middle = entry.utf8.dropFirst(start.count).dropLast(end.count)
        return (1...16).contains(middle.count) && entry.utf8.count == start.count + middle.count + end.count
            && entry.utf8.starts(with: start) && entry.utf8.suffix(end.count).elementsEqual(end)
            && middle.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    /// Removes what is left of files that were to be in the place of another.
    ///
    /// Regular files of this user alone are removed, and none that a process still writes: it holds a lock on that.
    func removeLeftovers(of name: String) throws(FileStorageError) {
        for entry in try entries() where Self.isTemporary(entry, for: name) {
            guard let file = leftover(entry) else { continue }
            let status = withExtendedLifetime(file) { _ in
                unsafe unlinkat(descriptor.number, entry, 0)
            }
            guard status == 0 || errno == ENOENT else {
                throw .system(errno, path, "what is left of an earlier one cannot be removed")
            }
        }
    }

    /// Opens and locks a leftover; nil when it is none.
    private func leftover(_ entry: String) -> Descriptor? {
        do throws(FileStorageError) {
            let file = try open(entry, O_RDWR)
            _ = try file.demandOwnFile()
            guard file.lock() == 0 else { return nil }
            return file
        } catch { return nil }
    }

    private func entries() throws(FileStorageError) -> [String] {
        // Opened anew, for the place in the list is one of the open directory.
        let number = unsafe openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw .system(errno, path, "its directory cannot be read") }
        guard let stream = unsafe fdopendir(number) else {
            defer { close(number) }
            throw .system(errno, path, "its directory cannot be read")
        }
        defer { unsafe closedir(stream) }
        var entries: [String] = []
        while let entry = unsafe readdir(stream) {
            unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe entries.append(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
            }
        }
        return entries
    }
}

import Glibc
import TestSupport
import Testing

extension TemporaryFolder {
    /// What changes when anything is done to the file at a path, or the link there.
    func identity(_ name: String) throws -> [Int] {
        var status = stat()
        try #require(unsafe lstat(self[name], &status) == 0)
        return [
            Int(status.st_ino), Int(status.st_mode), Int(status.st_uid), Int(status.st_size),
            status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
        ]
    }
}

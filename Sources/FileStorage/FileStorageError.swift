import Glibc

/// Why a file could not be read or written.
///
/// It names the path, which is no secret, and never holds contents.
package struct FileStorageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    package struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name, for logs and tests.
        package let description: String

        /// The path cannot name a file: it is empty, ends in a slash or a dot entry, or holds a NUL.
        package static let invalidPath = Code(description: "invalidPath")
        /// There is no such file, or no such directory.
        package static let notFound = Code(description: "notFound")
        /// Something else than a regular file stands at the path.
        package static let notAFile = Code(description: "notAFile")
        /// The path names a symbolic link, which is not followed.
        package static let symbolicLink = Code(description: "symbolicLink")
        /// The file belongs to another user.
        package static let foreignOwner = Code(description: "foreignOwner")
        /// The group or others may do something with the file.
        package static let openPermissions = Code(description: "openPermissions")
        /// Another user could replace the file, because of who may write to its directory.
        package static let unsafeDirectory = Code(description: "unsafeDirectory")
        /// The file is larger than the limit.
        package static let tooLarge = Code(description: "tooLarge")
        /// There is a file of this name, and it stays.
        package static let alreadyExists = Code(description: "alreadyExists")
        /// The system refused or failed; ``FileStorageError/errorNumber`` says why.
        package static let inputOutput = Code(description: "inputOutput")
    }

    /// What went wrong.
    package let code: Code
    /// The path as the caller gave it.
    package let path: String
    /// One sentence for people, without the path.
    package let message: String
    /// The system's error number, or 0 where it gave none.
    package let errorNumber: Int32

    init(_ code: Code, _ path: String, _ message: String, errorNumber: Int32 = 0) {
        self.code = code
        self.path = path
        self.message = message
        self.errorNumber = errorNumber
    }

    /// The error for a failed call.
    static func system(_ number: Int32, _ path: String, _ action: String) -> FileStorageError {
        let words = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
        let code: Code =
            switch number {
            case ENOENT: .notFound
            case ELOOP: .symbolicLink
            case EEXIST: .alreadyExists
            case EISDIR, ENXIO: .notAFile
            default: .inputOutput
            }
        return FileStorageError(code, path, "\(action): \(words)", errorNumber: number)
    }

    /// The code, the path and what is wrong with it.
    package var description: String { "\(code): \(path): \(message)" }
}

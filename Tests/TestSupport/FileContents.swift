import Glibc

/// What files hold, read by the C library: Foundation's reading leaks where a file is empty.
package enum FileContents {
    /// Reads a whole file.
    ///
    /// - Throws: `Command.Failure` when there is none.
    package static func bytes(of path: String) throws -> [UInt8] {
        guard let stream = unsafe fopen(path, "r") else { throw Command.Failure(number: errno) }
        defer { unsafe fclose(stream) }
        var octets: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = unsafe fread(&piece, 1, piece.count, stream), count > 0 {
            octets += piece[..<count]
        }
        return octets
    }

    /// Reads a whole file as UTF-8.
    ///
    /// - Throws: As ``bytes(of:)``.
    package static func text(of path: String) throws -> String {
        String(decoding: try bytes(of: path), as: UTF8.self)
    }
}

import Glibc

/// Files of text, read by the C library: Foundation's reading leaks where a file is empty.
package enum TextFile {
    /// Reads a whole file.
    package static func read(_ path: String) throws -> String {
        guard let stream = unsafe fopen(path, "r") else { throw Command.Failure(number: errno) }
        defer { unsafe fclose(stream) }
        var octets: [UInt8] = []
        while case let octet = unsafe getc(stream), octet != EOF {
            octets.append(UInt8(truncatingIfNeeded: octet))
        }
        return String(decoding: octets, as: UTF8.self)
    }
}

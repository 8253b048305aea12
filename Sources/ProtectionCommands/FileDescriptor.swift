import Glibc

/// Whole reads and writes on a descriptor of the system.
enum FileDescriptor {
    /// Reads to the end, or until one octet more than the limit has come.
    static func read(_ descriptor: Int32, limit: Int, name: String) throws(ToolError) -> [UInt8] {
        var octets: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(limit + 1, 64 << 10))
        while octets.count <= limit {
            let room = min(buffer.count, limit + 1 - octets.count)
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor, $0.baseAddress, room)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ToolError(.unreadable, "\(name) cannot be read: \(reason(errno))") }
            if count == 0 { break }
            octets += buffer[..<count]
        }
        return octets
    }

    /// Writes all octets.
    static func write(_ octets: [UInt8], to descriptor: Int32, name: String) throws(ToolError) {
        var rest = octets[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw ToolError(.unwritable, "\(name) cannot be written: \(reason(errno))")
            }
            rest = rest.dropFirst(count)
        }
    }

    /// The system's words for an error number.
    static func reason(_ number: Int32) -> String {
        unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    }
}

import Foundation

/// nghttpd with one file, in a process of its own that ends with this object.
final class HTTP2Server: Sendable {
    private static let program = "/usr/sbin/nghttpd"
    static var isPresent: Bool { FileManager.default.isExecutableFile(atPath: program) }
    static var note: String? { isPresent ? nil : "no nghttpd: it is in Debian's package nghttp2-server" }

    private let folder = FileManager.default.temporaryDirectory.path + "/benchmarks-\(UUID().uuidString)"
    private let port: Int
    private let process = Process()

    var url: String { "https://127.0.0.1:\(port)/shapes" }
    var caPath: String { folder + "/root.pem" }

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let identity = try LoadServer.Identity()
        let files = [
            "root.pem": identity.root, "server.pem": identity.certificate, "server.key": identity.key,
            "shapes": String(repeating: "x", count: LoadServer.bodySize),
        ]
        for (name, text) in files { try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)")) }
        port = try Self.freePort()
        process.executableURL = URL(filePath: Self.program)
        process.arguments = [
            "-a", "127.0.0.1", "-d", folder, "\(port)", folder + "/server.key", folder + "/server.pem",
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        try waitUntilItAnswers()
    }

    deinit {
        // It inherits a mask that holds back gentler signals.
        kill(process.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func waitUntilItAnswers() throws {
        for _ in 0..<500 {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = Self.address(UInt16(port))
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = unsafe withUnsafeBytes(of: &address) { bytes in
                unsafe connect(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), size)
            }
            if status == 0 { return }
            usleep(10_000)
        }
        throw BenchmarkError("nghttpd does not answer")
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = address(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = unsafe withUnsafeMutableBytes(of: &address) { bytes in
            let pointer = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            guard unsafe bind(descriptor, pointer, size) == 0 else { return Int32(-1) }
            return unsafe getsockname(descriptor, pointer, &size)
        }
        guard status == 0 else { throw BenchmarkError("there is no free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

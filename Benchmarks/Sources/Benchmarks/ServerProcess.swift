import Foundation

/// Where the server listens.
struct ServerAddress: Sendable {
    let plain: String
    let secure: String
    /// The file of the root that the server's certificate leads to.
    let caPath: String
    /// The file with the hash of the server's public key, in Base64.
    var keyPath: String { Self.keyPath(caPath) }

    static func keyPath(_ caPath: String) -> String { caPath + ".hash" }
}

/// The running server.
final class ServerProcess {
    let address: ServerAddress
    private let process = Process()
    private let input = Pipe()

    init() throws {
        let caPath = FileManager.default.temporaryDirectory.path + "/benchmarks-\(getpid())-ca.pem"
        let output = Pipe()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [LoadServer.argument, caPath]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var text = ""
        while text.count(where: { $0 == "\n" }) < 2 {
            let octets = output.fileHandleForReading.availableData
            guard !octets.isEmpty else { throw BenchmarkError("the server did not start") }
            text += String(decoding: octets, as: UTF8.self)
        }
        let urls = text.split(separator: "\n").map(String.init)
        address = ServerAddress(plain: urls[0], secure: urls[1], caPath: caPath)
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        process.terminate()
        process.waitUntilExit()
        for path in [address.caPath, address.keyPath] { try? FileManager.default.removeItem(atPath: path) }
    }
}

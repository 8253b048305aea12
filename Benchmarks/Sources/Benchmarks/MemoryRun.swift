import CurlMultiFloor
import Foundation
import HTTPMessages
import HTTPTransport

/// Shows how much memory requests take that are on their way at the same time, in a process for each contender.
enum MemoryRun {
    static let argument = "--hold"
    private static let count = 10_000
    private static let connections = 64

    static func run(_ server: ServerAddress) throws {
        var octets: [String: Int] = [:]
        for contender in ["ours", "floor"] {
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = [argument, contender, server.plain]
            process.standardOutput = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            guard let number = Int(text.split(separator: "\n").last ?? "") else {
                throw BenchmarkError("the memory of \(contender) cannot be told: \(text)")
            }
            octets[contender] = number
        }
        let (ours, floor) = (octets["ours"] ?? 0, octets["floor"] ?? 0)
        show(
            """
            \(count) requests at once over \(connections) connections: peak of \(ours / count) octets a request in CurlSession, \(floor / count) in C on \
            curl_multi, \((ours - floor) / count) more
            """
        )
    }

    /// Sends all requests at once and tells by how much the peak of this process's memory grew.
    static func hold(_ contender: String, _ url: String) async throws {
        if contender == "ours" {
            let session = try CurlSession(configuration: .init(maximumConnectionsPerHost: connections))
            _ = try await session.data(from: url)
            let before = try peak()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<count { group.addTask { _ = try await session.data(from: url) } }
                try await group.waitForAll()
            }
            show("\(try peak() - before)")
        } else {
            let client = try FloorClient(caPath: nil, connections: connections)
            _ = try await client.contender(url: url, inFlight: 1).run(1)
            let before = try peak()
            _ = try await client.contender(url: url, inFlight: count).run(count)
            show("\(try peak() - before)")
        }
    }

    private static func peak() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard let kilobytes = line.flatMap({ Int($0.split(separator: " ").dropLast().last ?? "") }) else {
            throw BenchmarkError("the peak of the memory cannot be read")
        }
        return kilobytes << 10
    }
}

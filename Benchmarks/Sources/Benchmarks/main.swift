import Foundation

let benchmarks =
    SessionBenchmarks.all + ConnectionBenchmarks.all + ServiceBenchmarks.all + TokenBenchmarks.all
    + SignatureBenchmarks.all + AWSBenchmarks.all + AttestationBenchmarks.all

/// Writes a line at once, also into a pipe.
func show(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

func run(_ options: Options) async throws {
    if let caPath = options.serverCAPath { return try LoadServer.run(caPath: caPath) }
    if let held = options.held { return try await MemoryRun.hold(held.contender, held.url) }
    let chosen = benchmarks.filter { options.filter.isEmpty || $0.name.contains(options.filter) }
    guard !chosen.isEmpty else { throw BenchmarkError("no benchmark has such a name; see --list") }
    if options.lists { return chosen.forEach { show($0.name) } }
    let server = try ServerProcess()
    defer { server.stop() }
    if let count = options.cancellations {
        return try await CancellationStress.run(count, server: server.address)
    }
    if options.showsMemory { return try MemoryRun.run(server.address) }
    var report = Report(harness: options.harness)
    show(report.heading)
    for benchmark in chosen {
        let row = try await options.harness.measure(benchmark, server: server.address)
        show(Report.lines(row))
        report.rows.append(row)
    }
    if let path = options.jsonPath { try report.write(to: path) }
}

do {
    try await run(Options(CommandLine.arguments.dropFirst()))
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}

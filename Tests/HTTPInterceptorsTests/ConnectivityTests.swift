import FoundationEssentials
import HTTPInterceptors
import HTTPMessages
import TestSupport
import Testing
import Timing

@Suite("Connectivity", .timeLimit(.minutes(1))) struct ConnectivityTests {
    private let session = FakeSession(200)

    private func get(_ url: String = "https://a.example/") throws -> HTTPRequest { try HTTPRequest(url: url) }

    @Test func withANetworkTheRequestGoes() async throws {
        let gate = ConnectivityInterceptor(monitor: ReportedConnectivity(), time: FakeTime().source)
        #expect(try await session.data(for: try get(), interceptors: [gate]).status == .ok)
    }

    @Test(arguments: ["http://localhost/", "http://127.0.0.1:8080/", "http://[::1]/"])
    func thisMachineNeedsNoNetwork(url: String) async throws {
        let gate = ConnectivityInterceptor(monitor: ReportedConnectivity(isConnected: false), limit: .zero)
        #expect(try await session.data(for: try get(url), interceptors: [gate]).status == .ok)
    }

    @Test(arguments: [0, 30]) func withoutOneItFailsAfterTheLimit(seconds: Int) async throws {
        let time = FakeTime()
        let gate = ConnectivityInterceptor(
            monitor: ReportedConnectivity(isConnected: false),
            limit: .seconds(seconds),
            time: time.source
        )
        let error = try await #require(throws: InterceptorError.self) {
            try await session.data(for: try get(), interceptors: [gate])
        }
        #expect(error.code == .notConnected && session.requests.isEmpty)
        #expect("\(error)" == "notConnected: there was no network within \(Duration.seconds(seconds))")
        #expect(time.sleeps == (seconds > 0 ? [.seconds(seconds)] : []))
    }

    @Test func requestsGoWhenTheNetworkIsBack() async throws {
        let monitor = ReportedConnectivity(isConnected: false)
        let (session, request, asleep) = (session, try get(), Counter())
        let gate = ConnectivityInterceptor(monitor: monitor, time: FakeTime.endless { asleep.next() })
        let tasks = (0..<50).map { _ in
            Task { try await session.data(for: request, interceptors: [gate]) }
        }
        try await eventually { asleep.value >= 50 }
        monitor.report(isConnected: false)
        #expect(session.requests.isEmpty)
        monitor.report(isConnected: true)
        for task in tasks { #expect(try await task.value.status == .ok) }
        #expect(monitor.isConnected)
    }

    @Test func cancellationEndsTheWait() async throws {
        let (session, request, asleep) = (session, try get(), Signal())
        let gate = ConnectivityInterceptor(
            monitor: ReportedConnectivity(isConnected: false),
            time: FakeTime.endless { asleep.open() }
        )
        let task = Task { try await session.data(for: request, interceptors: [gate]) }
        await asleep.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(session.requests.isEmpty)
    }

    @Test func aWaitThatWasCancelledBeforeItBeganEnds() async throws {
        let monitor = ReportedConnectivity(isConnected: false)
        let cancelled = Task {
            while !Task.isCancelled { await Task.yield() }
            try await monitor.waitUntilConnected()
        }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }

    private static let noRoutes =
        "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
    private static let local = noRoutes + "eth0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0\n"
    private static let loopback =
        "00000000000000000000000000000001 80 00000000000000000000000000000000 00 "
        + "00000000000000000000000000000000 00000000 00000003 00000000 80200001       lo\n"

    private static func ipv4(flags: String, mask: String = "00000000") -> String {
        local + "eth0\t00000000\t010011AC\t\(flags)\t0\t0\t0\t\(mask)\t0\t0\t0\n"
    }

    private static func ipv6(flags: String, length: String = "00", interface: String = "eth0") -> String {
        let zero = String(repeating: "0", count: 32)
        return loopback
            + "\(zero) \(length) \(zero) 00 \(zero) 00000400 00000001 00000000 \(flags) \(interface)\n"
    }

    @Test(
        arguments: [
            (ipv4(flags: "0003"), nil, true), (ipv4(flags: "0003"), loopback, true),
            (ipv4(flags: "0001"), nil, true),
            (noRoutes, loopback, false), (local, loopback, false), (ipv4(flags: "0002"), loopback, false),
            (ipv4(flags: "0203"), loopback, false), (ipv4(flags: "0003", mask: "0000FFFF"), loopback, false),
            (ipv4(flags: "junk"), loopback, false), (local, ipv6(flags: "00000003"), true),
            (nil, ipv6(flags: "00450003"), true), (local, ipv6(flags: "00200200", interface: "lo"), false),
            (local, ipv6(flags: "00000003", interface: "lo"), false), (local, ipv6(flags: "00000201"), false),
            (local, ipv6(flags: "00000003", length: "40"), false), (local, nil, false),
            (nil, loopback, false),
            ("", "", false), ("eth0\t00000000", "0", false), (nil, nil, true),
        ] as [(String?, String?, Bool)]
    ) func theRoutingTablesAreRead(ipv4: String?, ipv6: String?, isConnected: Bool) {
        let monitor = DefaultRouteMonitor(interval: .seconds(1), time: FakeTime().source) { (ipv4, ipv6) }
        #expect(monitor.isConnected == isConnected)
    }

    @Test func theTablesAreReadAtAnInterval() async throws {
        let (reads, time) = (Counter(), FakeTime())
        let monitor = DefaultRouteMonitor(interval: .seconds(2), time: time.source) {
            (reads.next() < 4 ? Self.local : Self.ipv4(flags: "0003"), nil)
        }
        try await monitor.waitUntilConnected()
        #expect(time.sleeps == [.seconds(2), .seconds(2), .seconds(2)])
    }

    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: "/proc/net/route"),
            "the machine has no such table"
        )
    )
    func theMachinesOwnTablesAreRead() throws {
        let ipv4 = try String(contentsOfFile: "/proc/net/route", encoding: .utf8)
        let ipv6 = try? String(contentsOfFile: "/proc/net/ipv6_route", encoding: .utf8)
        try #require(ipv4.hasPrefix("Iface"))
        let same = DefaultRouteMonitor(interval: .seconds(1), time: .system) { (ipv4, ipv6) }
        #expect(DefaultRouteMonitor().isConnected == same.isConnected)
    }
}

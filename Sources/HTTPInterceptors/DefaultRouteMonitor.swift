import FoundationEssentials
public import Timing

/// Connectivity as Linux's routing tables tell it: there is a default route for IPv4 or IPv6, or there is none.
///
/// It knows nothing beyond this machine: behind a route the network may still be dead, and a host in the local network
/// or behind a proxy may be reached without one. Where the tables cannot be read it says that there is a network, so
/// that nothing is held back without a reason. A wait reads the tables anew at an interval.
public struct DefaultRouteMonitor: ConnectivityMonitor {
    private let interval: Duration
    private let time: TimeSource
    private let tables: @Sendable () -> (ipv4: String?, ipv6: String?)

    /// Makes a monitor.
    ///
    /// - Parameters:
    ///   - interval: How often a wait reads the tables.
    ///   - time: Where it gets its time.
    public init(interval: Duration = .seconds(1), time: TimeSource = .system) {
        self.init(interval: interval, time: time) {
            (Self.read("/proc/net/route"), Self.read("/proc/net/ipv6_route"))
        }
    }

    /// Makes a monitor that reads other tables, in the form of `/proc/net/route` and `/proc/net/ipv6_route`.
    package init(
        interval: Duration,
        time: TimeSource,
        tables: @escaping @Sendable () -> (ipv4: String?, ipv6: String?)
    ) {
        self.interval = interval
        self.time = time
        self.tables = tables
    }

    /// Whether there is a default route.
    public var isConnected: Bool {
        let (ipv4, ipv6) = tables()
        guard ipv4 != nil || ipv6 != nil else { return true }
        return Self.lines(of: ipv4).contains(where: Self.isDefaultIPv4)
            || Self.lines(of: ipv6).contains(where: Self.isDefaultIPv6)
    }

    /// Waits until there is a default route.
    public func waitUntilConnected() async throws {
        while !isConnected { try await time.sleep(interval) }
    }

    private static func read(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func lines(of table: String?) -> [[Substring]] {
        (table ?? "").split(separator: "\n").map { $0.split { $0 == " " || $0 == "\t" } }
    }

    /// Columns: interface, destination, gateway, flags, three counters, mask.
    private static func isDefaultIPv4(_ columns: [Substring]) -> Bool {
        columns.count >= 8 && columns[1] == "00000000" && columns[7] == "00000000" && isUsable(columns[3])
    }

    /// Columns: destination and its length, source and its length, gateway, metric, two counters, flags, interface.
    private static func isDefaultIPv6(_ columns: [Substring]) -> Bool {
        columns.count >= 10 && columns[0].allSatisfy { $0 == "0" } && columns[1] == "00"
            && isUsable(columns[8]) && columns[9] != "lo"
    }

    /// Up (`RTF_UP`) and not one that refuses what it matches (`RTF_REJECT`).
    private static func isUsable(_ flags: Substring) -> Bool {
        UInt32(flags, radix: 16).map { $0 & 0x0001 != 0 && $0 & 0x0200 == 0 } ?? false
    }
}

/// Which hosts are pinned to which keys.
///
/// A host's own set counts before one of a wildcard, and that before ``others``. Pins come on top of the verification of
/// the certificate and never in its place.
///
/// ```swift
/// var policy = PinningPolicy()
/// policy[try HostPattern("api.example.com")] = PinSet([current, backup])
/// ```
public struct PinningPolicy: Sendable, Hashable {
    /// The sets by the hosts they are for.
    public private(set) var hosts: [HostPattern: PinSet]
    /// The set of every host that has none of its own: the `*` of a configuration, for roots that are managed.
    public var others: PinSet?

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - hosts: The sets by the hosts they are for.
    ///   - others: The set of every other host; nil leaves them to normal verification.
    public init(_ hosts: [HostPattern: PinSet] = [:], others: PinSet? = nil) {
        self.hosts = hosts
        self.others = others
    }

    /// The set that was given for a pattern.
    public subscript(pattern: HostPattern) -> PinSet? {
        get { hosts[pattern] }
        set { hosts[pattern] = newValue }
    }

    /// Whether no host is pinned.
    public var isEmpty: Bool { hosts.isEmpty && others == nil }

    /// The set that holds for a host.
    ///
    /// - Parameters:
    ///   - host: The host in lower case, as ``RequestTarget/host`` is.
    ///   - time: The second since 1970; a set that has ended by then counts as absent, so that the next one holds. Nil takes
    ///     sets that have ended too.
    /// - Returns: The set of the host itself, of its wildcard, or of all others; nil when the host is not pinned.
    public func pins(for host: String, at time: Int64? = nil) -> PinSet? {
        let matching = hosts.filter { $0.key.matches(host) }
        let sets = [
            matching.first { !$0.key.isWildcard }?.value, matching.first { $0.key.isWildcard }?.value, others,
        ]
        return sets.lazy.compactMap(\.self).first { set in
            guard let time, let end = set.expiresAt else { return true }
            return time < end
        }
    }
}

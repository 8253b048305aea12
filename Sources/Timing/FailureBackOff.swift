/// How long a failure is remembered, so that an outage is not answered with a storm.
package enum FailureBackOff {
    /// 1 to 2 seconds after the first failure, about twice as long after each further one, and 15 to 30 at the most.
    ///
    /// - Parameters:
    ///   - count: How many failures there were before, one after the other.
    ///   - random: A number in 0..<1, so that clients that failed together do not come back together.
    /// - Returns: The delay.
    package static func delay(after count: Int, random: Double) -> Duration {
        let longest = min(30, Double(2 << min(count, 10)))
        return .seconds(longest * (0.5 + 0.5 * random))
    }
}

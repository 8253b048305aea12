/// Whether the pins of a host hold for one request.
public enum PinningDecision: Sendable, Hashable {
    /// The pins hold.
    case pin
    /// The request goes by normal certificate verification alone.
    case skip
}

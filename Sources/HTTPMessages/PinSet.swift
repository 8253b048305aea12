/// The pins of one host: at least one key of the server's verified chain must be among them.
///
/// Have a backup pin, of a key that is not in use yet: without one, the loss of the key shuts the app out. A set without
/// pins fits no chain, so nothing is sent.
public struct PinSet: Sendable, Hashable {
    /// What becomes of a request when no pin fits.
    public enum Mode: Sendable, Hashable {
        /// The request is not sent.
        case enforce
        /// The request is sent, and the failure is told.
        case reportOnly
    }

    /// The pins.
    public var pins: [PublicKeyPin]
    /// The second since 1970 from which the set does not count any more, as if the host had none; nil is never.
    ///
    /// It lets an app that nobody updates reach its server after the keys have changed.
    public var expiresAt: Int64?
    /// What becomes of a request when no pin fits.
    public var mode: Mode

    /// Makes a set.
    public init(_ pins: [PublicKeyPin], expiresAt: Int64? = nil, mode: Mode = .enforce) {
        self.pins = pins
        self.expiresAt = expiresAt
        self.mode = mode
    }
}

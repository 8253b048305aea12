public import AppAttestation

/// The proof that an attested key signed a request, once and just now; only ``AssertedRequestVerifier`` makes one.
public struct AssertedRequest: Sendable, Hashable, CustomStringConvertible {
    /// The assertion, whose counter is stored.
    public let assertion: VerifiedAssertion
    /// When the client signed, in seconds since 1970-01-01T00:00:00Z.
    public let timestamp: Int64

    /// The identifier of the key.
    public var keyID: [UInt8] { assertion.keyID }
    /// What vouched for the key when it was attested.
    public var format: AttestedKeyFormat { assertion.format }
    /// The app identifier to which the key belongs.
    public var appID: String { assertion.appID }
    /// The counter of the assertion.
    public var counter: UInt32 { assertion.counter }

    /// The app and the counter.
    public var description: String { "a request of \(appID), counter \(counter)" }
}

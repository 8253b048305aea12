/// The proof that a signature of a message is right and fulfils a policy; only ``MessageVerifier`` makes it.
///
/// Only what is in ``components`` is vouched for. Whatever else the message holds anybody may have changed.
public struct VerifiedMessage: Sendable {
    /// The label of the signature.
    public let label: String
    /// What is covered, with the values that were verified, in order.
    public let components: [CoveredComponent]
    /// The parameters of the signature.
    public let parameters: SignatureParameters
    /// The algorithm of the key.
    public let algorithm: MessageSignatureAlgorithm
    /// Whether the content of the message was compared with a digest that is covered.
    public let isContentVerified: Bool
    /// Whether the content of the message was compared with a `Repr-Digest` that is covered.
    public let isRepresentationVerified: Bool

    /// The name of the key, when the signature gives one.
    public var keyIdentifier: String? { parameters.keyIdentifier }

    /// The verified value of a component, or nil when it is not covered.
    public subscript(component: ComponentIdentifier) -> String? {
        components.first { $0.identifier == component }?.value
    }
}

extension VerifiedMessage: CustomStringConvertible, CustomReflectable {
    /// The label, the algorithm and what is covered, without a value.
    public var description: String { "\(label), \(algorithm.rawValue): \(components)" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The right to have a key attested, which one process has at a time; it ends when the object goes.
public protocol AttestationClaim: AnyObject, Sendable {}

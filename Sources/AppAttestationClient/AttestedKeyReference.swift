/// An attested key by its identifier, and how many were dropped before it.
struct AttestedKeyReference: Sendable, Hashable {
    let keyID: String
    let generation: Int
}

/// An attested key by its identifier, and how many were dropped before it.
struct AttestedKeyReference: Sendable, Hashable {
    let keyID: String
    let generation: Int
    /// From when on a request that the backend takes makes the key one that may be replaced again; nil when it may already.
    var settlesAt: Int64?
}

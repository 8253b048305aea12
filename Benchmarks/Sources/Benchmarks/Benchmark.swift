/// Work that ours and its peers do in turns.
struct Benchmark: Sendable {
    let name: String
    /// What to know about its figures, for example why a peer is missing.
    var note: String?
    /// How many operations a turn has at least.
    var fewestOperations = 32
    /// Makes the contenders, ours first; what they need is freed with them.
    let contenders: @Sendable (ServerAddress) async throws -> [Contender]
}

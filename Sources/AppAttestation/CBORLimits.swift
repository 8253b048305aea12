/// How much CBOR a reader takes.
///
/// A real attestation object has 6 KB and four levels. Memory and time grow with the size alone: no length in the input makes
/// the reader reserve more than the octets that are there.
public struct CBORLimits: Sendable, Hashable {
    /// The greatest number of octets of the input.
    public var maximumSize: Int
    /// The greatest number of arrays, maps and tags around an item.
    ///
    /// More than 128 count as 128, because each level takes room on the stack.
    public var maximumDepth: Int

    /// Makes limits.
    public init(maximumSize: Int = 65_536, maximumDepth: Int = 16) {
        self.maximumSize = maximumSize
        self.maximumDepth = maximumDepth
    }

    var depth: Int { min(maximumDepth, 128) }
}

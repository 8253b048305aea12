internal import StructuredFields

/// How much of a peer's input a signer or verifier takes.
///
/// Time and memory grow in proportion to the message. A field that is parsed takes at most about 300 octets for each
/// member, item and parameter besides its text (5 MiB at the default), and stays for as long as its message is signed
/// or verified. A covered field that is not parsed is held twice, as it came and in the base.
public struct SignatureLimits: Sendable, Hashable {
    /// The longest field that is parsed, all its lines joined, in octets; 1 MiB unless set otherwise.
    public var fieldLength: Int
    /// The most members, items and parameters of one field, all counted together; 16,384 unless set otherwise.
    public var members: Int
    /// The most labels of one message; 1,024 unless set otherwise.
    public var labels: Int
    /// The most components that one signature covers; 1,024 unless set otherwise.
    public var components: Int
    /// The longest signature base in octets; 4 MiB unless set otherwise.
    public var baseLength: Int

    /// Makes limits; the defaults are such as no honest message reaches.
    public init(
        fieldLength: Int = 1 << 20,
        members: Int = 1 << 14,
        labels: Int = 1 << 10,
        components: Int = 1 << 10,
        baseLength: Int = 4 << 20
    ) {
        self.fieldLength = fieldLength
        self.members = members
        self.labels = labels
        self.components = components
        self.baseLength = baseLength
    }

    func parser(_ duplicates: StructuredFieldParser.DuplicateKeys = .lastWins) -> StructuredFieldParser {
        StructuredFieldParser(
            maximumLength: fieldLength,
            maximumMembers: members,
            duplicateKeys: duplicates
        )
    }
}

extension StructuredFieldError {
    var isLimit: Bool { code == .tooLong || code == .tooManyMembers }
}

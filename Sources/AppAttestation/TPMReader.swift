/// Reads the structures of a TPM: big-endian numbers, and octets with their length before them (TPM 2.0, part 2).
struct TPMReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func octets(_ count: Int) throws(AttestationError) -> [UInt8] {
        guard count <= rest.count else {
            throw AttestationError(.malformedTPMStructure, "a structure of the TPM is cut short")
        }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func uint16() throws(AttestationError) -> UInt16 {
        try octets(2).reduce(0) { $0 << 8 | UInt16($1) }
    }

    mutating func uint32() throws(AttestationError) -> UInt32 {
        try octets(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// A TPM2B: a length of 16 bits, and as many octets.
    mutating func sized() throws(AttestationError) -> [UInt8] { try octets(Int(uint16())) }

    func finish() throws(AttestationError) {
        guard isAtEnd else {
            throw AttestationError(.malformedTPMStructure, "there are octets after a structure of the TPM")
        }
    }
}

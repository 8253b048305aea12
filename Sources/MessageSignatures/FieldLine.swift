/// One field line as it stands in a message: a name, and the octets after the colon.
///
/// Unlike `HTTPField` it takes what a peer may send: white space around the value and folded lines.
public struct FieldLine: Sendable, Hashable, CustomStringConvertible {
    /// The name in lower case.
    public let name: String
    /// The octets of the value, unchanged.
    public let value: [UInt8]

    /// Makes a field line; nothing is checked before a signature covers it.
    public init(_ name: String, _ value: [UInt8]) {
        let isCapital: (UInt8) -> Bool = { $0 >= 0x41 && $0 <= 0x5A }
        // By octets: letters outside of ASCII must not become ones of ASCII.
        self.name =
            name.utf8.contains(where: isCapital)
            ? String(decoding: name.utf8.map { isCapital($0) ? $0 | 0x20 : $0 }, as: UTF8.self) : name
        self.value = value
    }

    /// Takes a name that is in lower case already.
    init(canonicalName name: String, _ value: [UInt8]) {
        self.name = name
        self.value = value
    }

    /// Makes a field line of text, which goes out in UTF-8.
    public init(_ name: String, _ value: String) {
        self.init(name, Array(value.utf8))
    }

    /// The name and the length; the value may be a secret and is not shown.
    public var description: String { "\(name): <\(value.count) octets>" }

    /// The value without outer white space and with each fold as one space (RFC 9421, section 2.1).
    ///
    /// A line break that is no fold stays, to be refused.
    package func canonicalValue(_ version: WireVersion) -> [UInt8] {
        guard version == .http1, value.contains(0x0D) else { return Self.trimmed(value) }
        var output: [UInt8] = []
        output.reserveCapacity(value.count)
        var offset = 0
        while offset < value.count {
            guard isFold(at: offset) else {
                output.append(value[offset])
                offset += 1
                continue
            }
            offset += 2
            while offset < value.count, Self.isBlank(value[offset]) { offset += 1 }
            while let last = output.last, Self.isBlank(last) { output.removeLast() }
            output.append(UInt8(ascii: " "))
        }
        return Self.trimmed(output)
    }

    private static func trimmed(_ octets: [UInt8]) -> [UInt8] {
        guard let first = octets.first, let last = octets.last, isBlank(first) || isBlank(last) else {
            return octets
        }
        guard let start = octets.firstIndex(where: { !isBlank($0) }),
            let end = octets.lastIndex(where: { !isBlank($0) })
        else { return [] }
        return Array(octets[start...end])
    }

    private func isFold(at offset: Int) -> Bool {
        offset + 2 < value.count && value[offset] == 0x0D && value[offset + 1] == 0x0A
            && Self.isBlank(value[offset + 2])
    }

    private static func isBlank(_ octet: UInt8) -> Bool { octet == 0x20 || octet == 0x09 }
}

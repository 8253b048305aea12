internal import Encodings
internal import HTTPMessages

/// One field line as it stands in a message: a name, and the octets after the colon.
///
/// Unlike `HTTPField` it takes what a peer may send: white space around the value and folded lines.
public struct FieldLine: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The name in lower case.
    public let name: String
    /// The octets of the value, unchanged.
    public var value: [UInt8] {
        switch content {
        case .octets(let octets): octets
        case .text(let text): Array(text.utf8)
        }
    }

    private let content: Content

    private enum Content: Sendable {
        case octets([UInt8])
        /// The value of an `HTTPField`, which is canonical as it is and not copied.
        case text(String)
    }

    /// Makes a field line; nothing is checked before a signature covers it.
    public init(_ name: String, _ value: [UInt8]) {
        let isCapital: (UInt8) -> Bool = { $0 >= 0x41 && $0 <= 0x5A }
        // By octets: letters outside of ASCII must not become ones of ASCII.
        self.name =
            name.utf8.contains(where: isCapital)
            ? String(decoding: name.utf8.map { isCapital($0) ? $0 | 0x20 : $0 }, as: UTF8.self) : name
        content = .octets(value)
    }

    init(_ field: HTTPField) {
        name = field.name.canonicalName
        content = field.text.map(Content.text) ?? .octets(field.bytes)
    }

    /// Makes a field line of text, which goes out in UTF-8.
    public init(_ name: String, _ value: String) {
        self.init(name, Array(value.utf8))
    }

    /// The name and the length; the value may be a secret and is not shown.
    public var description: String { "\(name): <\(value.count) octets>" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The value without outer white space and with each fold as one space (RFC 9421, section 2.1).
    ///
    /// A line break that is no fold stays, to be refused.
    package func canonicalValue(_ version: WireVersion) -> [UInt8] {
        let value = value
        guard version == .http1, value.contains(0x0D) else { return Self.trimmed(value) }
        var output: [UInt8] = []
        output.reserveCapacity(value.count)
        var offset = 0
        while offset < value.count {
            guard Self.isFold(value, at: offset) else {
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

    /// Puts what ``canonicalValue(_:)`` gives at the end of some octets.
    func appendCanonicalValue(_ version: WireVersion, to octets: inout OctetWriter) {
        switch content {
        case .octets: octets.append(canonicalValue(version))
        case .text(let text): octets.append(text)
        }
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

    private static func isFold(_ value: [UInt8], at offset: Int) -> Bool {
        offset + 2 < value.count && value[offset] == 0x0D && value[offset + 1] == 0x0A
            && isBlank(value[offset + 2])
    }

    private static func isBlank(_ octet: UInt8) -> Bool { octet == 0x20 || octet == 0x09 }
}

extension FieldLine {
    /// Whether name and octets are the same.
    public static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.value == right.value
    }

    /// Feeds name and octets.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(value)
    }
}

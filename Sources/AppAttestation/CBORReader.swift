/// Reads CBOR (RFC 8949) from somebody who may be an attacker.
///
/// Each value has one form that is taken: lengths are definite, integers, lengths, tags and floating-point numbers are as
/// short as they can be (section 4.2.1), no key stands twice in a map. The order of keys is free, because App Attest's
/// own is not that of section 4.2.1. Nothing is repaired.
public struct CBORReader: Sendable {
    private let bytes: [UInt8]
    private let maximumDepth: Int
    /// The offset of the next item, from 0.
    public private(set) var offset: Int = 0

    /// Starts at the first octet.
    ///
    /// - Throws: ``CBORFault`` with code `tooLarge` for an input beyond the limit.
    public init(_ bytes: [UInt8], limits: CBORLimits = CBORLimits()) throws(CBORFault) {
        guard bytes.count <= limits.maximumSize else { throw CBORFault(.tooLarge, at: limits.maximumSize) }
        self.bytes = bytes
        maximumDepth = limits.depth
    }

    /// Whether all octets were read.
    public var isAtEnd: Bool { offset == bytes.count }

    /// Reads the next item whole.
    ///
    /// - Throws: ``CBORFault`` for octets that are not one item in its one form.
    public mutating func readValue() throws(CBORFault) -> CBORValue { try readValue(depth: 0) }

    /// Refuses anything that is left.
    ///
    /// - Throws: ``CBORFault`` with code `trailingData`.
    public func finish() throws(CBORFault) {
        guard isAtEnd else { throw CBORFault(.trailingData, at: offset) }
    }

    private mutating func readValue(depth: Int) throws(CBORFault) -> CBORValue {
        let start = offset
        let initial = try take(1)[offset - 1]
        let information = initial & 0x1F
        switch initial >> 5 {
        case 0: return .unsigned(try readArgument(information, start))
        case 1: return .negative(try readArgument(information, start))
        case 2: return .bytes(Array(try readString(information, start)))
        case 3:
            guard let text = String(validating: try readString(information, start), as: UTF8.self) else {
                throw CBORFault(.invalidText, at: start)
            }
            return .text(text)
        case 4: return .array(try readArray(information, start, depth: depth))
        case 5: return .map(try readMap(information, start, depth: depth))
        case 6:
            let tag = try readArgument(information, start)
            try checkDepth(depth, start)
            return .tagged(tag, try readValue(depth: depth + 1))
        default: return try readSimple(information, start)
        }
    }

    private mutating func take(_ count: Int) throws(CBORFault) -> ArraySlice<UInt8> {
        guard count <= bytes.count - offset else { throw CBORFault(.truncated, at: bytes.count) }
        offset += count
        return bytes[offset - count..<offset]
    }

    private mutating func readNumber(_ width: Int) throws(CBORFault) -> UInt64 {
        try take(width).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The argument of an item (section 3), refused when a shorter form holds it.
    private mutating func readArgument(_ information: UInt8, _ start: Int) throws(CBORFault) -> UInt64 {
        switch information {
        case 0...23: return UInt64(information)
        case 24...27:
            let width = 1 << Int(information - 24)
            let value = try readNumber(width)
            let isShortest = width == 1 ? value >= 24 : value >> UInt64(width * 4) != 0
            guard isShortest else { throw CBORFault(.notShortest, at: start) }
            return value
        case 31: throw CBORFault(.indefiniteLength, at: start)
        default: throw CBORFault(.reserved, at: start)
        }
    }

    private mutating func readString(
        _ information: UInt8,
        _ start: Int
    ) throws(CBORFault) -> ArraySlice<UInt8> {
        let length = try readArgument(information, start)
        guard let count = Int(exactly: length) else { throw CBORFault(.truncated, at: bytes.count) }
        return try take(count)
    }

    /// The number of items that follow; each has an octet at least, so a number above what is left is cut short.
    private mutating func readCount(_ information: UInt8, _ start: Int) throws(CBORFault) -> Int {
        let length = try readArgument(information, start)
        guard let count = Int(exactly: length), count <= bytes.count - offset else {
            throw CBORFault(.truncated, at: bytes.count)
        }
        return count
    }

    private func checkDepth(_ depth: Int, _ start: Int) throws(CBORFault) {
        guard depth < maximumDepth else { throw CBORFault(.tooDeep, at: start) }
    }

    private mutating func readArray(
        _ information: UInt8,
        _ start: Int,
        depth: Int
    ) throws(CBORFault) -> [CBORValue] {
        let count = try readCount(information, start)
        try checkDepth(depth, start)
        var elements: [CBORValue] = []
        for _ in 0..<count { elements.append(try readValue(depth: depth + 1)) }
        return elements
    }

    private mutating func readMap(
        _ information: UInt8,
        _ start: Int,
        depth: Int
    ) throws(CBORFault) -> [CBORMember] {
        let count = try readCount(information, start)
        try checkDepth(depth, start)
        var members: [CBORMember] = []
        // A value has one form here, so keys are the same when their octets are.
        var seen: Set<ArraySlice<UInt8>> = []
        for _ in 0..<count {
            let keyStart = offset
            let key = try readValue(depth: depth + 1)
            guard seen.insert(bytes[keyStart..<offset]).inserted else {
                throw CBORFault(.duplicateKey, at: keyStart)
            }
            members.append(CBORMember(key, try readValue(depth: depth + 1)))
        }
        return members
    }

    private mutating func readSimple(_ information: UInt8, _ start: Int) throws(CBORFault) -> CBORValue {
        switch information {
        case 0...19: return .simple(information)
        case 20, 21: return .bool(information == 21)
        case 22: return .null
        case 23: return .undefined
        case 24:
            let value = UInt8(truncatingIfNeeded: try readNumber(1))
            guard value >= 32 else { throw CBORFault(.notShortest, at: start) }
            return .simple(value)
        case 25:
            return .float(Double(Float16(bitPattern: UInt16(truncatingIfNeeded: try readNumber(2)))))
        case 26:
            let value = Float(bitPattern: UInt32(truncatingIfNeeded: try readNumber(4)))
            guard !value.isNaN, Float(Float16(value)) != value else {
                throw CBORFault(.notShortest, at: start)
            }
            return .float(Double(value))
        case 27:
            let value = Double(bitPattern: try readNumber(8))
            guard !value.isNaN, Double(Float(value)) != value else {
                throw CBORFault(.notShortest, at: start)
            }
            return .float(value)
        default: throw CBORFault(.reserved, at: start)
        }
    }
}

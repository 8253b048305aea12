/// Reads JSON text strictly: RFC 8259, with the choices of RFC 7493 (I-JSON) where that leaves them open.
///
/// Refused besides what the grammar excludes: two members of one name, invalid UTF-8, escapes that name half of a
/// surrogate pair, a byte order mark, nesting beyond the limit, anything after the value.
struct JSONReader {
    private let octets: [UInt8]
    private let maximumDepth: Int
    private var offset = 0

    init(_ octets: [UInt8], maximumDepth: Int) {
        self.octets = octets
        self.maximumDepth = maximumDepth
    }

    mutating func readDocument() throws(DecodingFault) -> JSONValue {
        let value = try readValue(depth: 0)
        skipWhitespace()
        guard offset == octets.count else { throw DecodingFault(.trailingData, at: offset) }
        return value
    }

    private var next: UInt8? { offset < octets.count ? octets[offset] : nil }

    private mutating func skipWhitespace() {
        while let octet = next, octet == 0x20 || octet == 0x09 || octet == 0x0A || octet == 0x0D {
            offset += 1
        }
    }

    /// Reads a value and the white space before it.
    private mutating func readValue(depth: Int) throws(DecodingFault) -> JSONValue {
        skipWhitespace()
        switch next {
        case UInt8(ascii: "{"): return .object(try readObject(depth: depth))
        case UInt8(ascii: "["): return .array(try readArray(depth: depth))
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "t"): return try readLiteral("true", .bool(true))
        case UInt8(ascii: "f"): return try readLiteral("false", .bool(false))
        case UInt8(ascii: "n"): return try readLiteral("null", .null)
        default: return .number(try readNumber())
        }
    }

    private mutating func readLiteral(
        _ text: StaticString,
        _ value: JSONValue
    ) throws(DecodingFault) -> JSONValue {
        for octet in String(describing: text).utf8 { try expect(octet) }
        return value
    }

    private mutating func expect(_ octet: UInt8) throws(DecodingFault) {
        guard next == octet else { throw DecodingFault(.invalidJSON, at: offset) }
        offset += 1
    }

    /// Takes the octet if it comes next.
    private mutating func take(_ octet: UInt8) -> Bool {
        guard next == octet else { return false }
        offset += 1
        return true
    }

    private mutating func enter(_ opening: UInt8, depth: Int) throws(DecodingFault) {
        guard depth < maximumDepth else { throw DecodingFault(.tooDeep, at: offset) }
        try expect(opening)
        skipWhitespace()
    }

    private mutating func readArray(depth: Int) throws(DecodingFault) -> [JSONValue] {
        try enter(UInt8(ascii: "["), depth: depth)
        var elements: [JSONValue] = []
        if take(UInt8(ascii: "]")) { return elements }
        while true {
            elements.append(try readValue(depth: depth + 1))
            skipWhitespace()
            if take(UInt8(ascii: "]")) { return elements }
            try expect(UInt8(ascii: ","))
        }
    }

    private mutating func readObject(depth: Int) throws(DecodingFault) -> JSONObject {
        try enter(UInt8(ascii: "{"), depth: depth)
        var members: [(name: String, value: JSONValue)] = []
        var names = MemberNames()
        if take(UInt8(ascii: "}")) { return JSONObject(distinct: members) }
        while true {
            skipWhitespace()
            let start = offset
            let name = try readString()
            guard names.insert(name) else { throw DecodingFault(.duplicateMember, at: start) }
            skipWhitespace()
            try expect(UInt8(ascii: ":"))
            members.append((name, try readValue(depth: depth + 1)))
            skipWhitespace()
            if take(UInt8(ascii: "}")) { return JSONObject(distinct: members) }
            try expect(UInt8(ascii: ","))
        }
    }

    private mutating func readNumber() throws(DecodingFault) -> JSONNumber {
        let start = offset
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try readDigits() }
        if take(UInt8(ascii: ".")) { try readDigits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try readDigits()
        }
        return JSONNumber(checked: String(decoding: octets[start..<offset], as: UTF8.self))
    }

    private mutating func readDigits() throws(DecodingFault) {
        let start = offset
        while let octet = next, octet >= UInt8(ascii: "0"), octet <= UInt8(ascii: "9") { offset += 1 }
        guard offset > start else { throw DecodingFault(.invalidJSON, at: offset) }
    }

    private mutating func readString() throws(DecodingFault) -> String {
        try expect(UInt8(ascii: "\""))
        let start = offset
        // Filled only when there are escapes; most strings are taken as they stand.
        var content: [UInt8] = []
        var runStart = offset
        while true {
            guard let octet = next else { throw DecodingFault(.invalidJSON, at: offset) }
            switch octet {
            case UInt8(ascii: "\""):
                defer { offset += 1 }
                guard !content.isEmpty else {
                    return try text(octets.span.extracting(start..<offset), at: start)
                }
                content += octets[runStart..<offset]
                return try text(content.span, at: start)
            case UInt8(ascii: "\\"):
                content += octets[runStart..<offset]
                offset += 1
                content += Array(String(try readEscape()).utf8)
                runStart = offset
            case 0..<0x20: throw DecodingFault(.invalidJSON, at: offset)
            default: offset += 1
            }
        }
    }

    private func text(_ octets: Span<UInt8>, at start: Int) throws(DecodingFault) -> String {
        do throws(UTF8.ValidationError) { return String(copying: try UTF8Span(validating: octets)) } catch {
            throw DecodingFault(.invalidUTF8, at: start)
        }
    }

    /// Reads what follows a backslash.
    private mutating func readEscape() throws(DecodingFault) -> Unicode.Scalar {
        let start = offset
        guard let octet = next else { throw DecodingFault(.invalidJSON, at: start) }
        offset += 1
        switch octet {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(octet)
        case UInt8(ascii: "b"): return "\u{08}"
        case UInt8(ascii: "f"): return "\u{0C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw DecodingFault(.invalidJSON, at: start)
        }
        let unit = try readCodeUnit()
        if UTF16.isLeadSurrogate(unit) {
            try expect(UInt8(ascii: "\\"))
            try expect(UInt8(ascii: "u"))
            let trail = try readCodeUnit()
            guard UTF16.isTrailSurrogate(trail) else { throw DecodingFault(.invalidJSON, at: start) }
            return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
        }
        guard let scalar = Unicode.Scalar(unit) else { throw DecodingFault(.invalidJSON, at: start) }
        return scalar
    }

    private mutating func readCodeUnit() throws(DecodingFault) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let octet = next, let digit = Hex.value(of: octet) else {
                throw DecodingFault(.invalidJSON, at: offset)
            }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }
}

/// The member names of one object so far, compared one by one while they are few, which costs no hashing.
///
/// Names that merely look the same count as repeated too: readers could disagree on which one is meant.
private struct MemberNames {
    private var few: [String] = []
    private var many: Set<String> = []

    /// Adds a name, or answers false when it is there already.
    mutating func insert(_ name: String) -> Bool {
        guard many.isEmpty else { return many.insert(name).inserted }
        guard !few.contains(name) else { return false }
        few.append(name)
        if few.count > 16 { many = Set(few) }
        return true
    }
}

extension JSONValue {
    /// Reads JSON text (RFC 8259) strictly.
    ///
    /// - Parameters:
    ///   - octets: The text, in UTF-8, without a byte order mark.
    ///   - maximumDepth: How many arrays and objects may stand inside one another.
    /// - Throws: ``DecodingFault`` with the offset of the first fault: bad grammar, a repeated member name, invalid
    ///   UTF-8, half of a surrogate pair, nesting beyond the limit, or octets after the value.
    public init(parsing octets: [UInt8], maximumDepth: Int = 32) throws(DecodingFault) {
        var reader = JSONReader(octets, maximumDepth: maximumDepth)
        self = try reader.readDocument()
    }
}

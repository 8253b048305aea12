import Encodings

/// Finds where a value stands in JSON text that was read strictly before.
struct JSONValueLocator {
    private let octets: [UInt8]
    private var position = 0

    init(_ octets: [UInt8]) {
        self.octets = octets
    }

    /// The offset of the value at the end of a path; nil when the text has no such path.
    mutating func offset(of path: [any CodingKey]) -> Int? {
        position = 0
        skipWhitespace()
        for key in path {
            guard position < octets.count else { return nil }
            let isFound =
                switch octets[position] {
                case UInt8(ascii: "{"): enterMember(key.stringValue)
                case UInt8(ascii: "["): key.intValue.map { enterElement($0) } ?? false
                default: false
                }
            guard isFound else { return nil }
        }
        return position
    }

    private mutating func skipWhitespace() {
        while position < octets.count, [0x20, 0x09, 0x0A, 0x0D].contains(octets[position]) { position += 1 }
    }

    /// Goes past an octet and the white space behind it.
    private mutating func step() {
        position += 1
        skipWhitespace()
    }

    private mutating func enterMember(_ name: String) -> Bool {
        step()
        while position < octets.count, octets[position] != UInt8(ascii: "}") {
            let start = position
            skipString()
            let written = octets[start..<position]
            skipWhitespace()
            step()
            // An escape can stand in a name too, so it is compared as it reads.
            if (try? JSONValue(parsing: Array(written)))?.string == name { return true }
            skipValue()
            if position < octets.count, octets[position] == UInt8(ascii: ",") { step() }
        }
        return false
    }

    private mutating func enterElement(_ index: Int) -> Bool {
        step()
        var remaining = index
        while position < octets.count, octets[position] != UInt8(ascii: "]") {
            if remaining == 0 { return true }
            remaining -= 1
            skipValue()
            if position < octets.count, octets[position] == UInt8(ascii: ",") { step() }
        }
        return false
    }

    private mutating func skipString() {
        position += 1
        while position < octets.count, octets[position] != UInt8(ascii: "\"") {
            position += octets[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        position += 1
    }

    /// Goes past a value and the white space behind it.
    private mutating func skipValue() {
        var depth = 0
        while position < octets.count {
            switch octets[position] {
            case UInt8(ascii: "\""):
                skipString()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return }
                depth -= 1
            case UInt8(ascii: ",") where depth == 0: return
            default: break
            }
            position += 1
        }
    }
}

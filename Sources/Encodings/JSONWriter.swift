extension JSONValue {
    /// Writes the value as JSON text in UTF-8, without white space, members in their order.
    ///
    /// Strings are escaped where RFC 8259, section 7 demands it and nowhere else.
    public func serialized() -> [UInt8] {
        var output: [UInt8] = []
        write(to: &output)
        return output
    }

    private func write(to output: inout [UInt8]) {
        switch self {
        case .null: output += "null".utf8
        case .bool(let truth): output += (truth ? "true" : "false").utf8
        case .number(let number): output += number.lexeme.utf8
        case .string(let text): Self.write(text, to: &output)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                element.write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let object):
            output.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                Self.write(member.name, to: &output)
                output.append(UInt8(ascii: ":"))
                member.value.write(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for octet in text.utf8 {
            switch octet {
            case UInt8(ascii: "\""): output += #"\""#.utf8
            case UInt8(ascii: "\\"): output += #"\\"#.utf8
            case 0x08: output += #"\b"#.utf8
            case 0x09: output += #"\t"#.utf8
            case 0x0A: output += #"\n"#.utf8
            case 0x0C: output += #"\f"#.utf8
            case 0x0D: output += #"\r"#.utf8
            case 0..<0x20: output += #"\u00\#(Hex.encode([octet]))"#.utf8
            default: output.append(octet)
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}

extension JSONObject {
    /// Writes the object as compact JSON text in UTF-8.
    public func serialized() -> [UInt8] { JSONValue.object(self).serialized() }
}

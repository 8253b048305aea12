/// Reads the part of XML that services answer with: elements, attributes (checked and dropped), text, and the five
/// named and the numbered references.
///
/// Declarations of types, entities of their own, processing instructions, comments and CDATA are refused: they are what
/// attacks on XML are made of, and no answer needs them.
struct XMLReader {
    private static let deepest = 16

    private let octets: [UInt8]
    private var offset = 0

    init(_ octets: [UInt8]) {
        self.octets = octets
    }

    mutating func readDocument() throws(AWSSigningError) -> XMLElement {
        guard String(validating: octets, as: UTF8.self) != nil else { throw fault("is not UTF-8") }
        if starts(with: "<?xml ") {
            guard let end = octets[offset...].firstIndex(of: UInt8(ascii: ">")),
                octets[end - 1] == UInt8(ascii: "?")
            else { throw fault("has a declaration without an end") }
            offset = end + 1
        }
        skipBlanks()
        let root = try readElement(depth: 1)
        skipBlanks()
        guard offset == octets.count else { throw fault("goes on after its root") }
        return root
    }

    private mutating func readElement(depth: Int) throws(AWSSigningError) -> XMLElement {
        guard depth <= Self.deepest else { throw fault("is nested too deep") }
        try expect("<")
        var element = XMLElement(name: try readName())
        while true {
            let before = offset
            skipBlanks()
            if starts(with: "/>") {
                offset += 2
                return element
            }
            if starts(with: ">") {
                offset += 1
                break
            }
            guard offset > before else { throw fault("has a malformed tag") }
            try skipAttribute()
        }
        var text: [UInt8] = []
        while !starts(with: "</") {
            guard offset < octets.count else { throw fault("ends inside an element") }
            switch octets[offset] {
            case UInt8(ascii: "<"): element.children.append(try readElement(depth: depth + 1))
            case UInt8(ascii: "&"): text += try readReference().utf8
            default:
                text.append(octets[offset])
                offset += 1
            }
        }
        try expect("</")
        guard try readName() == element.name else { throw fault("closes another element") }
        skipBlanks()
        try expect(">")
        element.text = String(decoding: text, as: UTF8.self)
        return element
    }

    private mutating func skipAttribute() throws(AWSSigningError) {
        _ = try readName()
        skipBlanks()
        try expect("=")
        skipBlanks()
        guard offset < octets.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(octets[offset]),
            let end = octets[(offset + 1)...].firstIndex(of: octets[offset]),
            !octets[offset..<end].contains(UInt8(ascii: "<"))
        else { throw fault("has a malformed attribute") }
        offset = end + 1
    }

    private mutating func readName() throws(AWSSigningError) -> String {
        let start = offset
        while offset < octets.count, Self.isName(octets[offset]) { offset += 1 }
        guard offset > start, !(UInt8(ascii: "-")...UInt8(ascii: "9")).contains(octets[start]) else {
            throw fault("has a malformed name")
        }
        return String(decoding: octets[start..<offset], as: UTF8.self)
    }

    private mutating func readReference() throws(AWSSigningError) -> String {
        let rest = octets[(offset + 1)...].prefix(9)
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else {
            throw fault("has a malformed reference")
        }
        let name = String(decoding: octets[(offset + 1)..<end], as: UTF8.self)
        offset = end + 1
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            let isHex = name.hasPrefix("#x")
            let digits = name.dropFirst(isHex ? 2 : 1)
            guard name.hasPrefix("#"), digits.first?.isHexDigit == true,
                let value = UInt32(digits, radix: isHex ? 16 : 10),
                value >= 0x20 || [9, 10, 13].contains(value),
                let scalar = Unicode.Scalar(value)
            else { throw fault("has a reference that is not known") }
            return String(Character(scalar))
        }
    }

    private mutating func skipBlanks() {
        while offset < octets.count, [0x20, 0x09, 0x0A, 0x0D].contains(octets[offset]) { offset += 1 }
    }

    private func starts(with text: StaticString) -> Bool {
        octets[offset...].starts(with: text.description.utf8)
    }

    private mutating func expect(_ text: StaticString) throws(AWSSigningError) {
        guard starts(with: text) else { throw fault("is malformed") }
        offset += text.utf8CodeUnitCount
    }

    private static func isName(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }

    private func fault(_ what: String) -> AWSSigningError {
        AWSSigningError(.invalidResponse, "the XML \(what), at octet \(offset)")
    }
}

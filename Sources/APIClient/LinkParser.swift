/// Reads one `Link` field (RFC 8288, section 3); what is not in its form is an error, not an end.
struct LinkParser {
    private let octets: [UInt8]
    private var offset = 0

    init(_ value: String) {
        octets = Array(value.utf8)
    }

    mutating func readLinks() throws(APIError) -> [WebLink] {
        var links: [WebLink] = []
        while true {
            skipBlanks()
            // A list may have empty members (RFC 9110, section 5.6.1.2).
            if take(UInt8(ascii: ",")) { continue }
            guard offset < octets.count else { return links }
            links.append(try readLink())
            skipBlanks()
            guard offset == octets.count || take(UInt8(ascii: ",")) else { throw fault() }
        }
    }

    private mutating func readLink() throws(APIError) -> WebLink {
        guard take(UInt8(ascii: "<")), let end = octets[offset...].firstIndex(of: UInt8(ascii: ">")) else {
            throw fault()
        }
        let target = text(offset..<end)
        offset = end + 1
        var parameters: [QueryItem] = []
        while true {
            skipBlanks()
            guard take(UInt8(ascii: ";")) else { break }
            skipBlanks()
            // An empty parameter, such as before a comma.
            if offset == octets.count || [UInt8(ascii: ";"), UInt8(ascii: ",")].contains(octets[offset]) {
                continue
            }
            let name = readToken()
            guard !name.isEmpty else { throw fault() }
            skipBlanks()
            var value: String?
            if take(UInt8(ascii: "=")) {
                skipBlanks()
                value = try readValue()
            }
            parameters.append(QueryItem(name.lowercased(), value))
        }
        return WebLink(target: target, parameters: parameters)
    }

    private mutating func readValue() throws(APIError) -> String {
        guard take(UInt8(ascii: "\"")) else {
            let token = readToken()
            guard !token.isEmpty else { throw fault() }
            return token
        }
        var value: [UInt8] = []
        while offset < octets.count {
            switch octets[offset] {
            case UInt8(ascii: "\""):
                offset += 1
                return String(decoding: value, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard offset + 1 < octets.count else { throw fault() }
                value.append(octets[offset + 1])
                offset += 2
            case let octet:
                value.append(octet)
                offset += 1
            }
        }
        throw fault()
    }

    /// Reads up to what ends a value; servers write URLs unquoted too.
    private mutating func readToken() -> String {
        let start = offset
        while offset < octets.count, !" \t;,=\"".utf8.contains(octets[offset]) { offset += 1 }
        return text(start..<offset)
    }

    private mutating func skipBlanks() {
        while offset < octets.count, octets[offset] == 0x20 || octets[offset] == 0x09 { offset += 1 }
    }

    private mutating func take(_ octet: UInt8) -> Bool {
        guard offset < octets.count, octets[offset] == octet else { return false }
        offset += 1
        return true
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: octets[range], as: UTF8.self) }

    private func fault() -> APIError {
        APIError(.pagination, "a Link field is malformed at octet \(offset)")
    }
}

/// Splits a URI for ``SignableTarget``, once, from its start to its end.
struct TargetParser {
    private let octets: [UInt8]

    init(_ url: String) {
        octets = Array(url.utf8)
    }

    mutating func parse() throws(SignatureError) -> SignableTarget {
        guard octets.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw Self.fault }
        guard let colon = octets.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(octets[..<colon]),
            octets[colon...].starts(with: "://".utf8)
        else { throw Self.fault }
        let start = colon + 3
        let end = octets.firstIndex(of: UInt8(ascii: "#")) ?? octets.count
        let mark = octets[start..<end].firstIndex(of: UInt8(ascii: "?")) ?? end
        let slash = octets[start..<mark].firstIndex(of: UInt8(ascii: "/")) ?? mark
        let user = octets[start..<slash].lastIndex(of: UInt8(ascii: "@"))
        let hostStart = user.map { $0 + 1 } ?? start
        let scheme = text(0..<colon).lowercased()
        let path = slash == mark ? "/" : text(slash..<mark)
        let query = mark < end ? text(mark + 1..<end) : nil
        let authority = try authority(hostStart..<slash, scheme: scheme)
        let origin = text(0..<start) + text(hostStart..<slash)
        return SignableTarget(
            scheme: scheme,
            authority: authority,
            path: path,
            query: query,
            writtenOrigin: origin == "\(scheme)://\(authority)" ? nil : origin
        )
    }

    private func authority(_ range: Range<Int>, scheme: String) throws(SignatureError) -> String {
        var hostEnd = octets[range].firstIndex(of: UInt8(ascii: ":")) ?? range.upperBound
        if octets[range].first == UInt8(ascii: "[") {
            guard let close = octets[range].firstIndex(of: UInt8(ascii: "]")),
                close > range.lowerBound + 1,
                octets[range.lowerBound + 1..<close].allSatisfy(Self.isAddressOctet)
            else { throw Self.fault }
            hostEnd = close + 1
        } else {
            guard octets[range.lowerBound..<hostEnd].allSatisfy(Self.isNameOctet) else { throw Self.fault }
        }
        let host = text(range.lowerBound..<hostEnd).lowercased()
        guard !host.isEmpty else { throw Self.fault }
        guard hostEnd < range.upperBound else { return host }
        guard octets[hostEnd] == UInt8(ascii: ":") else { throw Self.fault }
        let port = octets[hostEnd + 1..<range.upperBound]
        guard !port.isEmpty else { return host }
        guard port.count <= 5, port.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
            let number = Int(String(decoding: port, as: UTF8.self)), number <= 65535
        else { throw Self.fault }
        return number == Self.defaultPort(of: scheme) ? host : "\(host):\(number)"
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: octets[range], as: UTF8.self) }

    private static var fault: SignatureError {
        SignatureError(.malformedURL, "the target is not an absolute URI with a host")
    }

    private static func defaultPort(of scheme: String) -> Int? {
        switch scheme {
        case "https", "wss": 443
        case "http", "ws": 80
        default: nil
        }
    }

    private static func isLetter(_ octet: UInt8) -> Bool { octet | 0x20 >= 0x61 && octet | 0x20 <= 0x7A }

    private static func isScheme(_ octets: ArraySlice<UInt8>) -> Bool {
        guard let first = octets.first, isLetter(first) else { return false }
        return octets.allSatisfy { isLetter($0) || $0 >= 0x30 && $0 <= 0x39 || "+-.".utf8.contains($0) }
    }

    private static func isAddressOctet(_ octet: UInt8) -> Bool {
        isNameOctet(octet) || octet == UInt8(ascii: ":")
    }

    /// `reg-name` of RFC 3986, section 3.2.2, with the escapes left as they are.
    private static func isNameOctet(_ octet: UInt8) -> Bool {
        isLetter(octet) || octet >= 0x30 && octet <= 0x39 || "-._~!$&'()*+,;=%".utf8.contains(octet)
    }
}

internal import Encodings

/// Hexadecimal in lower case, as octets.
enum LowerHex {
    static func encode(_ octets: [UInt8]) -> [UInt8] {
        OctetWriter.array(capacity: 2 * octets.count) { $0.appendHex(octets.span) }
    }

    static func text(_ octets: [UInt8]) -> String {
        OctetWriter.text(capacity: 2 * octets.count) { $0.appendHex(octets.span) }
    }

    /// The SHA-256 of nothing, which most requests have.
    static let emptyHash = Array("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855".utf8)
}

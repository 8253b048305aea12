/// Hexadecimal in lower case, written into octets that are there already.
enum LowerHex {
    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }

    static func append(_ octets: [UInt8], to output: inout [UInt8]) {
        for octet in octets {
            output.append(digit(octet >> 4))
            output.append(digit(octet & 0x0F))
        }
    }

    static func encode(_ octets: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(2 * octets.count)
        append(octets, to: &output)
        return output
    }

    /// The SHA-256 of nothing, which most requests have.
    static let emptyHash = Array("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855".utf8)
}

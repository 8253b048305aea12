/// Hexadecimal in lower case, written into octets that are there already.
enum LowerHex {
    private static let digits = Array("0123456789abcdef".utf8)

    static func append(_ octets: [UInt8], to output: inout [UInt8]) {
        output.append(contentsOf: encode(octets))
    }

    static func encode(_ octets: [UInt8]) -> [UInt8] {
        let digits = digits
        var output = [UInt8](repeating: 0, count: 2 * octets.count)
        for index in octets.indices {
            output[2 * index] = digits[Int(octets[index] >> 4)]
            output[2 * index + 1] = digits[Int(octets[index] & 0x0F)]
        }
        return output
    }

    /// The SHA-256 of nothing, which most requests have.
    static let emptyHash = Array("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855".utf8)
}

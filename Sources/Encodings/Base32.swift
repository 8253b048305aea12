/// Base 32 of RFC 4648, section 6, with padding; only written here.
public enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// Encodes octets.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var output: [UInt8] = []
        var buffer: UInt32 = 0
        var pending: UInt32 = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            pending += 8
            while pending >= 5 {
                pending -= 5
                output.append(alphabet[Int(buffer >> pending & 0x1F)])
            }
        }
        if pending > 0 { output.append(alphabet[Int(buffer << (5 - pending) & 0x1F)]) }
        while !output.count.isMultiple(of: 8) { output.append(UInt8(ascii: "=")) }
        return String(decoding: output, as: UTF8.self)
    }
}

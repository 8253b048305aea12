/// A frame of HTTP/2 on stream 1, or on the connection for settings (RFC 9113, section 4.1).
enum HTTP2Frame {
    /// The server's settings, none but the defaults, and its word that it has the client's.
    static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0] + [0, 0, 0, 4, 1, 0, 0, 0, 0]

    /// The head of a response with status 200, or its trailer fields.
    static func head(_ fields: [(name: String, value: String)], isTrailer: Bool = false) -> [UInt8] {
        // Number 8 of the static table is the status; the fields are literal, and not to be indexed (RFC 7541, section 6.2.2).
        var block: [UInt8] = isTrailer ? [] : [0x88]
        for field in fields {
            block += [0, UInt8(field.name.utf8.count)] + Array(field.name.utf8)
            block += [UInt8(field.value.utf8.count)] + Array(field.value.utf8)
        }
        return frame(1, flags: isTrailer ? 5 : 4, block)
    }

    static func data(_ content: String, isEnd: Bool) -> [UInt8] {
        frame(0, flags: isEnd ? 1 : 0, Array(content.utf8))
    }

    /// The end of the stream before its time, for a reason of RFC 9113, section 7.
    static func reset(_ reason: UInt8) -> [UInt8] { frame(3, flags: 0, [0, 0, 0, reason]) }

    private static func frame(_ type: UInt8, flags: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF), type, flags, 0, 0, 0, 1] + payload
    }
}

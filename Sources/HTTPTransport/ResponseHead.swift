import HTTPMessages

/// Reads the head of a response, a line at a time.
struct ResponseHead {
    private(set) var status: HTTPStatus?
    private(set) var fields: [HTTPField] = []
    private(set) var trailers: [HTTPField] = []
    /// Whether the final head has ended; lines that come later are trailer fields.
    private(set) var isComplete = false
    /// The announced length; nil when none was.
    private(set) var contentLength: Int?
    /// Whether the content ends where the connection does (RFC 9112, section 6.3).
    private(set) var endsWithConnection = false

    // Made once: a literal is checked and lowercased each time.
    private static let transferEncoding: HTTPField.Name = "Transfer-Encoding"

    private let maximumSize: Int
    private let maximumCount: Int
    private let allowsHTTP2: Bool
    private var isHTTP2 = false
    private var size = 0
    private var count = 0

    init(maximumSize: Int, maximumCount: Int, allowsHTTP2: Bool) {
        self.allowsHTTP2 = allowsHTTP2
        self.maximumSize = maximumSize
        self.maximumCount = maximumCount
    }

    /// Takes the next line, with its end.
    mutating func read(_ line: UnsafeRawBufferPointer) throws(TransportError) {
        size += line.count
        guard size <= maximumSize else {
            throw TransportError(.responseTooLarge, "the head is larger than \(maximumSize) octets")
        }
        var end = line.count
        if end > 0, unsafe line[end - 1] == 0x0A { end -= 1 }
        if end > 0, unsafe line[end - 1] == 0x0D { end -= 1 }
        let text = unsafe UnsafeRawBufferPointer(rebasing: line[..<end])
        if unsafe text.starts(with: "HTTP/".utf8), !isComplete {
            unsafe try readStatus(text)
        } else if unsafe text.isEmpty {
            try finish()
        } else {
            unsafe try readField(text)
        }
    }

    private mutating func readStatus(_ line: UnsafeRawBufferPointer) throws(TransportError) {
        // "HTTP/1.1 200", and a space before the reason if there is one. For HTTP/2 libcurl writes "HTTP/2 200 " itself.
        isHTTP2 = unsafe allowsHTTP2 && line.count == 11 && line.starts(with: "HTTP/2 ".utf8)
        let start = isHTTP2 ? 7 : 9
        guard line.count >= start + 3, unsafe line[start - 1] == 0x20,
            unsafe line.count == start + 3 || line[start + 3] == 0x20
        else {
            throw Self.malformed("the status line has another form")
        }
        var code = 0
        for place in start..<start + 3 {
            let octet = unsafe line[place]
            guard (0x30...0x39).contains(octet) else { throw Self.malformed("the status is not a number") }
            code = code * 10 + Int(octet - 0x30)
        }
        guard let status = try? HTTPStatus(code) else { throw Self.malformed("the status is under 100") }
        self.status = status
        fields = []
        fields.reserveCapacity(16)
    }

    private mutating func readField(_ line: UnsafeRawBufferPointer) throws(TransportError) {
        count += 1
        guard count <= maximumCount else {
            throw TransportError(.responseTooLarge, "there are more than \(maximumCount) fields")
        }
        guard let colon = unsafe line.firstIndex(of: UInt8(ascii: ":")), status != nil else {
            throw Self.malformed("a line of the head is not a field")
        }
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let tail = unsafe line[(colon + 1)...].drop(while: isBlank)
        var end = unsafe tail.endIndex
        while unsafe end > tail.startIndex, unsafe isBlank(tail[end - 1]) { end -= 1 }
        // A folded line starts with white space, so its name is none.
        guard let name = try? unsafe HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self)),
            let field = try? unsafe HTTPField(name, bytes: Array(tail[..<end]))
        else { throw Self.malformed("a field of the head is not valid") }
        if isComplete { trailers.append(field) } else { fields.append(field) }
    }

    /// Ends a head.
    ///
    /// Two lengths, or two ways to tell the length, are how responses are smuggled.
    private mutating func finish() throws(TransportError) {
        guard let status, !isComplete, status.code >= 200 else { return }
        var framing: HTTPField?
        for field in fields where field.name == .contentLength || field.name == Self.transferEncoding {
            guard framing == nil else { throw Self.malformed("the length is told twice") }
            framing = field
        }
        if let framing, framing.name == Self.transferEncoding {
            guard framing.value.lowercased() == "chunked" else {
                throw Self.malformed("the transfer coding is unknown")
            }
        } else if let length = framing?.value {
            guard !length.isEmpty, length.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
                let number = Int(length)
            else {
                throw Self.malformed("the content length is not a number")
            }
            contentLength = number
        }
        endsWithConnection =
            !isHTTP2 && framing == nil && status.code != 204 && status.code != 304
        isComplete = true
    }

    private static func malformed(_ message: String) -> TransportError {
        TransportError(.malformedResponse, message)
    }
}

import HTTPMessages

/// The lines that a request's head has after the first one.
struct RequestFields {
    private var text: [UInt8] = []
    private var starts: [Int] = []

    private init() {
        text.reserveCapacity(512)
        starts.reserveCapacity(16)
    }

    /// Fields that frame the message or rule the connection, which the transport alone does.
    private static let reserved: Set<HTTPField.Name> = [
        "Connection", "Expect", "HTTP2-Settings", "Keep-Alive", "Proxy-Connection", "TE", "Trailer",
        "Transfer-Encoding",
        "Upgrade",
    ]

    /// Fields that libcurl adds of its own when the request has none, with the lines that keep it from doing so.
    private static let suppressed = suppressing(["Accept", "Content-Type", "Expect"])
    /// The same for a request without content, of which libcurl describes none.
    private static let suppressedWithoutContent = suppressing(["Accept"])

    private static func suppressing(_ names: [HTTPField.Name]) -> [(name: HTTPField.Name, line: String)] {
        names.map { ($0, "\($0):") }
    }

    /// Makes the list of lines for libcurl.
    static func lines(
        for request: HTTPRequest,
        hasContent: Bool,
        contentLength: Int?,
        userAgent: HTTPField?
    ) throws(TransportError) -> FieldLines {
        var lines = RequestFields()
        lines.append("Host", request.target.authority)
        for field in request.fields.array {
            try check(field, of: request, contentLength: contentLength)
            if field.name != .host { lines.append(field) }
        }
        if let userAgent, !request.fields.contains(.userAgent) { lines.append(userAgent) }
        if request.options.acceptsTrailers {
            // TE is named in Connection (RFC 9110, section 10.1.4); HTTP/2 has no such field, and libcurl leaves it out.
            lines.append("TE", "trailers")
            lines.append("Connection", "TE")
        }
        for (name, line) in hasContent ? suppressed : suppressedWithoutContent
        where !request.fields.contains(name) {
            lines.append(line: line)
        }
        return FieldLines(lines.text, starts: lines.starts)
    }

    private static func check(
        _ field: HTTPField,
        of request: HTTPRequest,
        contentLength: Int?
    ) throws(TransportError) {
        let isAllowed =
            switch field.name {
            case .host: field.value == request.target.authority && request.fields[values: .host].count == 1
            case .contentLength:
                field.value == contentLength.map(String.init)
                    && request.fields[values: .contentLength].count == 1
            default: !reserved.contains(field.name)
            }
        guard isAllowed else {
            throw TransportError(
                .reservedField,
                "\(field.name) is the transport's own, or contradicts the request",
                host: request.target.host
            )
        }
    }

    private mutating func append(_ field: HTTPField) {
        if let value = field.text { return append(field.name.rawName, value) }
        append(field.name.rawName, field.bytes)
    }

    private mutating func append(_ name: String, _ value: String) {
        var value = value
        value.withUTF8 { unsafe append(name, $0) }
    }

    private mutating func append(_ name: String, _ value: some Collection<UInt8>) {
        starts.append(text.count)
        text += name.utf8
        // To libcurl "X:" removes a field and "X;" is one with an empty value.
        text += (value.isEmpty ? ";" : ": ").utf8
        text += value
        text.append(0)
    }

    private mutating func append(line: String) {
        starts.append(text.count)
        text += line.utf8
        text.append(0)
    }
}

import CCurl
import HTTPMessages

/// The lines that a request's head has after the first one.
enum RequestFields {
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

    private static let trailerLines = ["TE: trailers", "Connection: TE"].map { Array("\($0)\0".utf8) }

    private static func suppressing(_ names: [HTTPField.Name]) -> [(name: HTTPField.Name, line: [UInt8])] {
        names.map { ($0, Array("\($0):\0".utf8)) }
    }

    /// Makes the list of lines for libcurl.
    ///
    /// - Returns: The list, to be freed by the caller.
    static func list(
        for request: HTTPRequest,
        hasContent: Bool,
        contentLength: Int?,
        userAgent: HTTPField?
    ) throws(TransportError) -> UnsafeMutablePointer<curl_slist>? {
        for field in request.fields { try check(field, of: request, contentLength: contentLength) }
        var list: UnsafeMutablePointer<curl_slist>?
        do throws(TransportError) {
            unsafe try append("Host", Array(request.target.authority.utf8), to: &list)
            for field in request.fields where field.name != .host {
                unsafe try append(field.name.rawName, field.bytes, to: &list)
            }
            if let userAgent, !request.fields.contains(.userAgent) {
                unsafe try append(userAgent.name.rawName, userAgent.bytes, to: &list)
            }
            if request.options.acceptsTrailers {
                // TE is named in Connection (RFC 9110, section 10.1.4); HTTP/2 has no such field, and libcurl leaves it out.
                for line in trailerLines { unsafe try append(line: line, to: &list) }
            }
            let suppressed = hasContent ? suppressed : suppressedWithoutContent
            for (name, line) in suppressed where !request.fields.contains(name) {
                unsafe try append(line: line, to: &list)
            }
        } catch {
            unsafe curl_slist_free_all(list)
            throw error
        }
        return unsafe list
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

    private static func append(
        _ name: String,
        _ value: [UInt8],
        to list: inout UnsafeMutablePointer<curl_slist>?
    ) throws(TransportError) {
        var line: [UInt8] = []
        line.reserveCapacity(name.utf8.count + value.count + 3)
        line += name.utf8
        // To libcurl "X:" removes a field and "X;" is one with an empty value.
        line += (value.isEmpty ? ";" : ": ").utf8
        line += value
        line.append(0)
        unsafe try append(line: line, to: &list)
    }

    /// Adds a line that ends in a NUL.
    private static func append(
        line: [UInt8],
        to list: inout UnsafeMutablePointer<curl_slist>?
    ) throws(TransportError) {
        let longer = unsafe line.withUnsafeBytes { bytes in
            unsafe curl_slist_append(list, bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
        }
        guard let longer = unsafe longer else {
            throw TransportError(.internalError, "there is no memory for the fields")
        }
        unsafe list = unsafe longer
    }
}

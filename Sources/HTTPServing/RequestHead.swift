import CMicroHTTPD
import Glibc
import HTTPMessages

/// The head of a request, checked.
struct RequestHead: Sendable {
    let method: HTTPMethod
    let target: RequestTarget
    let fields: HTTPFields
    /// The length that the client announced; nil for a chunked content.
    let contentLength: Int?

    /// The first line of a request, as the library splits it.
    @unsafe struct Line {
        let method: UnsafePointer<CChar>
        let rawTarget: String
        let targetAddress: UInt
        let version: UnsafePointer<CChar>
    }

    private struct Collected {
        var fields: [HTTPField] = []
        var isValid = true
        var layout: HeadLayout
    }

    /// Reads the head, or returns the status of the refusal.
    static func read(
        _ line: Line,
        scheme: String,
        connection: OpaquePointer
    ) -> Result<RequestHead, Refusal> {
        let version = unsafe String(cString: line.version)
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else { return .failure(.versionNotSupported) }
        guard let method = try? unsafe HTTPMethod(String(cString: line.method)),
            let fields = unsafe fields(of: connection, after: line),
            let target = unsafe target(line.rawTarget, fields: fields, scheme: scheme)
        else { return .failure(.badRequest) }
        switch contentLength(fields, version: version) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let length):
            return .success(
                RequestHead(method: method, target: target, fields: fields, contentLength: length)
            )
        }
    }

    /// The announced length, nil for a chunked content.
    ///
    /// Two ways to tell the length, or two lengths, are how requests are smuggled (RFC 9112, section 6.3).
    private static func contentLength(_ fields: HTTPFields, version: String) -> Result<Int?, Refusal> {
        let lengths = fields[values: .contentLength]
        let codings = fields[values: "Transfer-Encoding"]
        guard lengths.count + codings.count <= 1 else { return .failure(.badRequest) }
        if let coding = codings.first {
            return coding.lowercased() == "chunked" && version == "HTTP/1.1"
                ? .success(nil) : .failure(.badRequest)
        }
        guard let length = lengths.first else { return .success(0) }
        guard !length.isEmpty, length.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
            return .failure(.badRequest)
        }
        // A number too large for the machine is larger than every limit.
        return .success(Int(length) ?? .max)
    }

    /// The fields in order, or nil when one is not a field.
    private static func fields(of connection: OpaquePointer, after line: Line) -> HTTPFields? {
        let methodCount = unsafe strlen(line.method)
        var layout = unsafe HeadLayout(method: line.method, count: methodCount)
        unsafe layout.take(line.targetAddress, count: line.rawTarget.utf8.count, after: 1)
        unsafe layout.take(UInt(bitPattern: line.version), count: strlen(line.version), after: 1)
        var collected = Collected(layout: layout)
        _ = unsafe withUnsafeMutablePointer(to: &collected) { collected in
            unsafe MHD_get_connection_values_n(connection, .HEADER_KIND, collect, collected)
        }
        guard collected.isValid, unsafe collected.layout.ends(atOffset: cmhd_head_size(connection)) else {
            return nil
        }
        return HTTPFields(collected.fields)
    }

    private static let collect: MHD_KeyValueIteratorN = { context, _, name, nameSize, value, valueSize in
        guard let collected = unsafe context?.assumingMemoryBound(to: Collected.self), let name = unsafe name,
            let value = unsafe value
        else { return .NO }
        unsafe collected.pointee.layout.take(UInt(bitPattern: name), count: nameSize, after: 2)
        unsafe collected.pointee.layout.takeValue(UInt(bitPattern: value), count: valueSize)
        let nameBytes = unsafe UnsafeRawBufferPointer(start: name, count: nameSize)
        let valueBytes = unsafe UnsafeRawBufferPointer(start: value, count: valueSize)
        guard let name = try? unsafe HTTPField.Name(String(decoding: nameBytes, as: UTF8.self)),
            let field = try? unsafe HTTPField(name, bytes: trimmed(valueBytes))
        else {
            unsafe collected.pointee.isValid = false
            return .NO
        }
        unsafe collected.pointee.fields.append(field)
        return .YES
    }

    /// White space around a value is not part of it (RFC 9110, section 5.5).
    private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        guard let first = unsafe bytes.firstIndex(where: { !isBlank($0) }),
            let last = unsafe bytes.lastIndex(where: { !isBlank($0) })
        else { return [] }
        return unsafe Array(bytes[first...last])
    }

    /// The absolute URL of an origin-form or absolute-form target (RFC 9112, section 3.2).
    private static func target(_ rawTarget: String, fields: HTTPFields, scheme: String) -> RequestTarget? {
        let hosts = fields[values: .host]
        guard hosts.count == 1, let host = hosts.first, !rawTarget.utf8.contains(UInt8(ascii: "#")),
            let origin = try? RequestTarget("\(scheme)://\(host)"),
            origin.absoluteString == "\(scheme)://\(host)/"
        else { return nil }
        if rawTarget.utf8.first == UInt8(ascii: "/") {
            return try? RequestTarget("\(scheme)://\(host)\(rawTarget)")
        }
        // A client that names one host in the target and another in the field wants to be seen as both.
        guard let target = try? RequestTarget(rawTarget), target.origin == origin.origin else { return nil }
        return target
    }
}

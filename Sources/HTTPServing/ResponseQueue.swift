import CMicroHTTPD
import HTTPMessages

/// Gives a response to the library.
enum ResponseQueue {
    /// Queues a response on its connection; call it on the connection's thread only.
    ///
    /// - Throws: ``HTTPServerError`` with code `invalidResponse` when the response cannot be sent; nothing is queued
    ///   then.
    static func add(_ response: HTTPResponse, to connection: OpaquePointer) throws(HTTPServerError) {
        guard response.status.code >= 200 else {
            throw HTTPServerError(.invalidResponse, "a final response has a status of 200 or more")
        }
        let made = unsafe response.body.withUnsafeBytes { bytes in
            unsafe MHD_create_response_from_buffer(
                bytes.count,
                // The library copies the octets and does not write to them.
                UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                .RESPMEM_MUST_COPY
            )
        }
        guard let object = unsafe made else {
            throw HTTPServerError(.invalidResponse, "there is no memory for the response")
        }
        defer { unsafe MHD_destroy_response(object) }
        for field in response.fields { try unsafe add(field, to: object, length: response.body.count) }
        guard unsafe MHD_queue_response(connection, UInt32(response.status.code), object) == .YES else {
            throw HTTPServerError(.invalidResponse, "the connection takes no response")
        }
    }

    private static func add(
        _ field: HTTPField,
        to response: OpaquePointer,
        length: Int
    ) throws(HTTPServerError) {
        // The framing is the server's; a length that says the same is let pass.
        if field.name == .contentLength, field.value == String(length) { return }
        if field.name == .contentLength || field.name == "Transfer-Encoding" {
            throw HTTPServerError(.invalidResponse, "\(field.name) contradicts the content")
        }
        var value = field.bytes.map { CChar(bitPattern: $0) }
        value.append(0)
        guard unsafe MHD_add_response_header(response, field.name.rawName, value) == .YES else {
            throw HTTPServerError(.invalidResponse, "the library refuses the field \(field.name)")
        }
    }
}

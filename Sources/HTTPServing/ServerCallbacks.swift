import CMicroHTTPD

/// The functions that the library calls, on its own threads.
///
/// The context of all of them is the ``ServerCore``, which outlives the daemon. Each request carries one retain of its
/// ``Exchange``, taken in `uriLog` and given back in `completed`, which the library calls once for each `uriLog`.
enum ServerCallbacks {
    static let uriLog:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>, OpaquePointer) ->
            UnsafeMutableRawPointer? = {
                context,
                uri,
                connection in
                if let context = unsafe context {
                    unsafe Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue().deadlines.resume(
                        connection
                    )
                }
                let exchange = unsafe Exchange(rawTarget: uri, connection: connection)
                return unsafe Unmanaged.passRetained(exchange).toOpaque()
            }

    static let handler: MHD_AccessHandlerCallback = {
        context,
        _,
        _,
        method,
        version,
        upload,
        uploadSize,
        request in
        guard let context = unsafe context, let method = unsafe method, let version = unsafe version,
            let uploadSize = unsafe uploadSize, let request = unsafe request?.pointee
        else { return .NO }
        let core = unsafe Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
        let exchange = unsafe Unmanaged<Exchange>.fromOpaque(request).takeUnretainedValue()
        let goesOn = unsafe core.advance(
            exchange,
            method: method,
            version: version,
            upload: UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
        )
        unsafe uploadSize.pointee = 0
        return goesOn ? .YES : .NO
    }

    static let connection: MHD_NotifyConnectionCallback = { context, connection, _, event in
        guard let context = unsafe context, let connection = unsafe connection else { return }
        let deadlines = unsafe Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue().deadlines
        switch event {
        case .CONNECTION_NOTIFY_STARTED: unsafe deadlines.open(connection)
        case .CONNECTION_NOTIFY_CLOSED: unsafe deadlines.close(connection)
        }
    }

    static let completed: MHD_RequestCompletedCallback = { context, connection, request, _ in
        if let context = unsafe context, let connection = unsafe connection {
            unsafe Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue().deadlines.resume(
                connection
            )
        }
        guard let request = unsafe request, let exchange = unsafe request.pointee else { return }
        unsafe request.pointee = nil
        unsafe Unmanaged<Exchange>.fromOpaque(exchange).release()
    }

    /// Passes on the form of the message only: what would be filled in can be a part of a request.
    static let logger: MHD_LogCallback = { context, format, _ in
        guard let context = unsafe context, let format = unsafe format else { return }
        let core = unsafe Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
        let text = unsafe String(cString: format).split(whereSeparator: \.isNewline).joined(separator: " ")
        core.report(HTTPServerError(.libraryMessage, text))
    }
}

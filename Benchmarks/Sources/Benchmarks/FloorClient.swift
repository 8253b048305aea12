import CurlMultiFloor

/// The C client: all else that sends with libcurl can only be slower.
@safe final class FloorClient: Sendable {
    // Used by one turn at a time.
    private nonisolated(unsafe) let pointer: OpaquePointer

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - caPath: The trusted roots in PEM; nil for plain HTTP.
    ///   - usesHTTP2: Whether HTTP/2 is asked for.
    ///   - pin: The server's public key in libcurl's form, with which the roots are handled as libcurl does by default.
    ///   - discards: Whether content is counted and let go of.
    ///   - connections: The most connections to one host; 0 for any number.
    /// - Throws: ``BenchmarkError`` when libcurl cannot be initialised.
    init(
        caPath: String?,
        usesHTTP2: Bool = false,
        pin: String? = nil,
        discards: Bool = false,
        connections: Int = 0
    ) throws {
        let pointer = unsafe caPath.withOptionalCString { caPath in
            unsafe pin.withOptionalCString { pin in
                unsafe curl_floor_open(
                    curl_floor_options(
                        ca_file: caPath,
                        uses_http2: usesHTTP2,
                        keeps_directory: pin != nil,
                        pin: pin,
                        discards: discards,
                        connections: connections
                    )
                )
            }
        }
        guard let pointer = unsafe pointer else { throw BenchmarkError("libcurl cannot be initialised") }
        unsafe self.pointer = unsafe pointer
    }

    deinit { unsafe curl_floor_close(pointer) }

    func contender(
        _ name: String = "C on curl_multi",
        url: String,
        header: String? = nil,
        inFlight: Int,
        size: Int = LoadServer.bodySize
    ) -> Contender {
        Contender(name: name) { [self] operations in
            let time = unsafe curl_floor_run(
                pointer,
                url,
                header,
                UInt64(operations),
                UInt32(inFlight),
                UInt64(size)
            )
            guard time > 0 else { throw BenchmarkError("a request of the C client failed") }
            return .nanoseconds(Int64(time))
        }
    }
}

extension String? {
    /// The text for C, or a null pointer.
    fileprivate func withOptionalCString<R>(_ body: (UnsafePointer<CChar>?) throws -> R) rethrows -> R {
        guard let text = self else { return try body(nil) }
        return unsafe try text.withCString { unsafe try body($0) }
    }
}

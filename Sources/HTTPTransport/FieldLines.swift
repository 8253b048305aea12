import CCurl

/// Lines for the head of a request, as the list that libcurl reads; one piece of memory holds them all.
@safe final class FieldLines: Sendable {
    /// The first of the list, which nobody changes once it is made; nil when it is empty.
    nonisolated(unsafe) let first: UnsafeMutablePointer<curl_slist>?

    /// Copies lines.
    ///
    /// - Parameters:
    ///   - text: The lines one after another, each ended by a NUL.
    ///   - starts: Where each begins, in ascending order.
    init(_ text: [UInt8], starts: [Int]) {
        guard !starts.isEmpty else {
            unsafe first = nil
            return
        }
        let size = unsafe starts.count * MemoryLayout<curl_slist>.stride
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: size + text.count,
            alignment: unsafe MemoryLayout<curl_slist>.alignment
        )
        let nodes = unsafe memory.bindMemory(to: curl_slist.self, capacity: starts.count)
        let characters = unsafe (memory + size).bindMemory(to: CChar.self, capacity: text.count)
        unsafe text.withUnsafeBytes { bytes in
            unsafe UnsafeMutableRawBufferPointer(start: memory + size, count: text.count).copyMemory(
                from: bytes
            )
        }
        for (index, start) in starts.enumerated() {
            let next = unsafe index + 1 < starts.count ? nodes + index + 1 : nil
            unsafe (nodes + index).initialize(to: curl_slist(data: characters + start, next: next))
        }
        unsafe first = unsafe nodes
    }

    deinit {
        if let first = unsafe first { unsafe UnsafeMutableRawPointer(first).deallocate() }
    }
}

/// Arrays that C fills.
enum OutputBytes {
    /// Makes an array of up to `capacity` octets, written in place.
    ///
    /// - Parameters:
    ///   - capacity: The room that `body` may write to.
    ///   - body: Writes from the pointer on and returns how many octets it wrote, or nil for failure.
    /// - Returns: The octets written, or nil when `body` failed.
    static func fill(capacity: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int?) -> [UInt8]? {
        var isFilled = false
        // An empty array that grows once finds its storage's type at compile time; one made with room looks it up.
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: max(capacity, 1)) { output in
            unsafe output.withUnsafeMutableBufferPointer { buffer, count in
                guard let start = buffer.baseAddress, let written = unsafe body(start) else { return }
                precondition(written <= capacity, "C wrote past the end of the buffer")
                isFilled = true
                count = written
            }
        }
        return isFilled ? bytes : nil
    }

    /// Makes the array that an OpenSSL i2d function gives, in its two steps: ask for the length, then write.
    static func encode(_ i2d: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8]? {
        let length = i2d(nil)
        guard length > 0 else { return nil }
        return unsafe fill(capacity: Int(length)) { start in
            var next: UnsafeMutablePointer<UInt8>? = unsafe start
            return unsafe i2d(&next) == length ? Int(length) : nil
        }
    }
}

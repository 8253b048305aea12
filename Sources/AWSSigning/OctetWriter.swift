/// Fills the storage of an array or a text whose length is known to be within bounds.
///
/// Appending to an array checks at each step whether it must be copied or grown; a signature is put together of some
/// fifty pieces, and those checks cost more than its cryptography. Here a piece costs one comparison with the bounds.
@safe
struct OctetWriter: ~Copyable {
    private let start: UnsafeMutablePointer<UInt8>?
    private let capacity: Int
    private(set) var count = 0

    /// Makes an array of up to `capacity` octets.
    static func array(capacity: Int, _ body: (inout OctetWriter) -> Void) -> [UInt8] {
        // An empty array that grows once finds its storage's type at compile time; one made with room looks it up.
        var octets: [UInt8] = []
        octets.append(addingCapacity: capacity) { output in
            unsafe output.withUnsafeMutableBufferPointer { buffer, count in
                var writer = unsafe OctetWriter(buffer)
                body(&writer)
                count = writer.count
            }
        }
        return octets
    }

    /// Makes a text of up to `capacity` octets.
    static func text(capacity: Int, _ body: (inout OctetWriter) -> Void) -> String {
        unsafe String(unsafeUninitializedCapacity: capacity) { buffer in
            var writer = unsafe OctetWriter(buffer)
            body(&writer)
            return writer.count
        }
    }

    private init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        unsafe start = buffer.baseAddress
        capacity = buffer.count
    }

    mutating func append(_ octet: UInt8) {
        precondition(count < capacity, "written past the bounds")
        unsafe start?[count] = octet
        count += 1
    }

    mutating func append(_ text: String) {
        append(text.utf8.span)
    }

    mutating func append(_ octets: [UInt8]) {
        append(octets.span)
    }

    mutating func append(_ octets: Span<UInt8>) {
        guard octets.count > 0 else { return }
        precondition(octets.count <= capacity - count, "written past the bounds")
        unsafe octets.withUnsafeBufferPointer { source in
            guard let start = unsafe start, let from = source.baseAddress else { return }
            unsafe (start + count).initialize(from: from, count: source.count)
        }
        count += octets.count
    }

    /// Octets in hexadecimal, in lower case.
    mutating func appendHex(_ octets: Span<UInt8>) {
        precondition(2 * octets.count <= capacity - count, "written past the bounds")
        guard let start = unsafe start else { return }
        let next = unsafe start + count
        for index in octets.indices {
            unsafe next[2 * index] = Self.digit(octets[index] >> 4)
            unsafe next[2 * index + 1] = Self.digit(octets[index] & 0x0F)
        }
        count += 2 * octets.count
    }

    /// Writes over an octet that is there.
    mutating func replaceLast(by octet: UInt8) {
        precondition(count > 0, "nothing is written yet")
        unsafe start?[count - 1] = octet
    }

    /// No table and no branch: a digit above 9 stands 39 places further on than the tenth would.
    private static func digit(_ value: UInt8) -> UInt8 {
        value &+ 0x30 &+ ((9 &- value) >> 7) &* 39
    }
}

/// Puts an array or a text together of many pieces.
///
/// Appending to an array checks at each step whether it must be copied or grown; a signature is put together of some
/// fifty pieces, and those checks cost more than its cryptography. Here a piece costs one comparison with the bounds.
/// Where the length is known before, the pieces go straight into the storage of the result; where it is not, into room on
/// the stack, and what is too long for that into a buffer that grows.
@safe
package struct OctetWriter: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>?
    private var capacity: Int
    /// Whether a buffer may take the place of room that does not do.
    private let canGrow: Bool
    /// Whether the storage is such a buffer.
    private var isBuffer = false
    package private(set) var count = 0

    /// Makes an array of up to `capacity` octets.
    package static func array(capacity: Int, _ body: (inout OctetWriter) -> Void) -> [UInt8] {
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
    package static func text(capacity: Int, _ body: (inout OctetWriter) -> Void) -> String {
        unsafe String(unsafeUninitializedCapacity: capacity) { buffer in
            var writer = unsafe OctetWriter(buffer)
            body(&writer)
            return writer.count
        }
    }

    /// Makes an array of any length.
    package static func array<Failure: Error>(
        _ body: (inout OctetWriter) throws(Failure) -> Void
    ) throws(Failure) -> [UInt8] {
        try withRoom(1024) { writer throws(Failure) in
            try body(&writer)
            return array(capacity: writer.count) { output in writer.withOctets { output.append($0) } }
        }
    }

    /// Makes a text of any length.
    package static func text<Failure: Error>(
        _ body: (inout OctetWriter) throws(Failure) -> Void
    ) throws(Failure) -> String {
        try withRoom(256) { writer throws(Failure) in
            try body(&writer)
            return text(capacity: writer.count) { output in writer.withOctets { output.append($0) } }
        }
    }

    /// Lends a writer with room on the stack, which nobody fills with zeros first.
    @inline(__always)
    private static func withRoom<Result, Failure: Error>(
        _ capacity: Int,
        _ body: (inout OctetWriter) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) {
            buffer throws(Failure) in
            var writer = unsafe OctetWriter(buffer, canGrow: true)
            return try body(&writer)
        }
    }

    private init(_ buffer: UnsafeMutableBufferPointer<UInt8>, canGrow: Bool = false) {
        unsafe start = buffer.baseAddress
        capacity = buffer.count
        self.canGrow = canGrow
    }

    deinit {
        if isBuffer { unsafe start?.deallocate() }
    }

    /// Lends the octets that are written, from one of them on.
    package func withOctets<Failure: Error>(
        from first: Int = 0,
        _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        let octets = unsafe UnsafeBufferPointer(start: start, count: count)
        try unsafe body(octets.span.extracting(first...))
    }

    /// Whether all that is written is printable ASCII, from one octet on.
    package func isPrintable(from first: Int) -> Bool {
        var faults: UInt8 = 0
        // A loop without branches takes many octets at a time.
        withOctets(from: first) { octets in
            for place in octets.indices {
                faults |= (octets[place] < 0x20 ? 1 : 0) | (octets[place] >= 0x7F ? 1 : 0)
            }
        }
        return faults == 0
    }

    package mutating func append(_ octet: UInt8) {
        makeRoom(1)
        unsafe start?[count] = octet
        count += 1
    }

    /// Groups of four octets, each with its first in the lowest bits, for one comparison with the bounds.
    package mutating func append(groups number: Int, _ group: (Int) -> UInt32) {
        makeRoom(4 * number)
        guard let start = unsafe start else { return }
        let next = unsafe UnsafeMutableRawPointer(start + count)
        for place in 0..<number {
            unsafe next.storeBytes(of: group(place).littleEndian, toByteOffset: 4 * place, as: UInt32.self)
        }
        count += 4 * number
    }

    package mutating func append(_ text: String) {
        append(text.utf8.span)
    }

    package mutating func append(_ octets: [UInt8]) {
        append(octets.span)
    }

    package mutating func append(_ octets: Span<UInt8>) {
        guard octets.count > 0 else { return }
        makeRoom(octets.count)
        unsafe octets.withUnsafeBufferPointer { source in
            guard let start = unsafe start, let from = source.baseAddress else { return }
            unsafe (start + count).initialize(from: from, count: source.count)
        }
        count += octets.count
    }

    /// Octets in hexadecimal, in lower case.
    package mutating func appendHex(_ octets: Span<UInt8>) {
        makeRoom(2 * octets.count)
        guard let start = unsafe start else { return }
        let next = unsafe start + count
        for index in octets.indices {
            unsafe next[2 * index] = Self.digit(octets[index] >> 4)
            unsafe next[2 * index + 1] = Self.digit(octets[index] & 0x0F)
        }
        count += 2 * octets.count
    }

    /// Writes over an octet that is there.
    package mutating func replaceLast(by octet: UInt8) {
        precondition(count > 0, "nothing is written yet")
        unsafe start?[count - 1] = octet
    }

    private mutating func makeRoom(_ more: Int) {
        if more > capacity - count { grow(by: more) }
    }

    private mutating func grow(by more: Int) {
        precondition(canGrow, "written past the bounds")
        let larger = max(2 * capacity, count + more)
        let storage = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        if let start = unsafe start {
            unsafe storage.moveInitialize(from: start, count: count)
            if isBuffer { unsafe start.deallocate() }
        }
        unsafe start = storage
        isBuffer = true
        capacity = larger
    }

    /// No table and no branch: a digit above 9 stands 39 places further on than the tenth would.
    private static func digit(_ value: UInt8) -> UInt8 {
        value &+ 0x30 &+ ((9 &- value) >> 7) &* 39
    }
}

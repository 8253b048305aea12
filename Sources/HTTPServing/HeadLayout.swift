/// Whether the parts of a request's head lie in memory as they came over the wire.
///
/// The library splits a head in place and hands out each part as a C string, so a NUL inside a part silently cuts it
/// short, and a folded line is joined. Each part must therefore start exactly where the wire puts it after the one
/// before: a cut or joined part leaves a gap, and the request is refused (RFC 9110, section 5.5; RFC 9112, section 5.2).
/// Addresses are compared only, never read.
struct HeadLayout {
    private(set) var isIntact = true
    private let start: UInt
    private var end: UInt

    init(method: UnsafeRawPointer, count: Int) {
        start = UInt(bitPattern: method)
        end = start + UInt(count)
    }

    /// Takes the next part, which stands so many octets after the end of the last.
    mutating func take(_ part: UInt, count: Int, after separator: Int) {
        isIntact = isIntact && part == end + UInt(separator)
        end = part + UInt(count)
    }

    /// Takes a field's value, which a colon and white space separate from its name.
    mutating func takeValue(_ part: UInt, count: Int) {
        isIntact = isIntact && part > end
        end = part + UInt(count)
    }

    /// Whether the head ends, with its empty line, where the last part does.
    func ends(atOffset size: Int) -> Bool { isIntact && end + 4 == start + UInt(size) }
}

/// One field line: a name and a value (RFC 9110, section 5).
///
/// A value is checked when the field is made and never changed afterwards, so the octets that are signed are the
/// octets that are sent.
public struct HTTPField: Sendable, Hashable, CustomStringConvertible {
    /// The name, as it was written; names compare without regard to case.
    public let name: Name
    /// The value as text.
    ///
    /// Octets that are not UTF-8 can come in from a peer; such a value is shown as ISO-8859-1, as HTTP once defined it,
    /// and ``bytes`` still gives the octets that came.
    public let value: String

    private let isLatin1: Bool

    /// Makes a field.
    ///
    /// - Throws: ``HTTPMessageError`` with code `invalidFieldValue` when the value holds CR, LF, NUL or another control
    ///   character than a tab, or starts or ends with white space, which a recipient would strip (RFC 9110, section 5.5).
    public init(_ name: Name, _ value: String) throws(HTTPMessageError) {
        if let offset = Self.fault(in: value.utf8) { throw Self.invalid(name, at: offset) }
        self.name = name
        self.value = value
        isLatin1 = false
    }

    /// Makes a field from the octets of a value, under the rules of ``init(_:_:)-(_,String)``.
    public init(_ name: Name, bytes: [UInt8]) throws(HTTPMessageError) {
        if let offset = Self.fault(in: bytes) { throw Self.invalid(name, at: offset) }
        self.name = name
        if let text = String(validating: bytes, as: UTF8.self) {
            value = text
            isLatin1 = false
        } else {
            value = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
            isLatin1 = true
        }
    }

    /// The octets of the value as they go on the wire.
    public var bytes: [UInt8] {
        isLatin1 ? value.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } : Array(value.utf8)
    }

    /// The name and the value's length; the value may be a secret and is not shown.
    public var description: String { "\(name): <\(value.utf8.count) octets>" }

    private static func invalid(_ name: Name, at offset: Int) -> HTTPMessageError {
        HTTPMessageError(
            .invalidFieldValue,
            "the value of \(name) holds an octet that a field cannot",
            at: offset
        )
    }

    private static func fault(in octets: some Collection<UInt8>) -> Int? {
        var last: UInt8 = 0
        var count = 0
        for octet in octets {
            let isBlank = octet == 0x20 || octet == 0x09
            if octet < 0x20 && octet != 0x09 || octet == 0x7F || isBlank && count == 0 { return count }
            last = octet
            count += 1
        }
        return last == 0x20 || last == 0x09 ? count - 1 : nil
    }
}

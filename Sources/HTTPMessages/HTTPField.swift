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
        if let offset = Self.fault(in: value.utf8.span) { throw Self.invalid(name, at: offset) }
        self.name = name
        self.value = value
        isLatin1 = false
    }

    /// Makes a field from a literal; one that a field cannot hold is a mistake in the source and stops the program.
    package init(_ name: Name, literal value: StaticString) {
        let value = String(describing: value)
        precondition(Self.fault(in: value.utf8.span) == nil, "the literal \(value) is not a field value")
        self.name = name
        self.value = value
        isLatin1 = false
    }

    /// Makes a field from the octets of a value, under the rules of ``init(_:_:)-(_,String)``.
    public init(_ name: Name, bytes: [UInt8]) throws(HTTPMessageError) {
        if let offset = Self.fault(in: bytes.span) { throw Self.invalid(name, at: offset) }
        self.name = name
        do throws(UTF8.ValidationError) {
            value = String(copying: try UTF8Span(validating: bytes.span))
            isLatin1 = false
        } catch {
            value = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
            isLatin1 = true
        }
    }

    /// The value as text whose UTF-8 is what goes on the wire; nil when it came as octets that are none.
    package var text: String? { isLatin1 ? nil : value }

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

    private static func fault(in octets: Span<UInt8>) -> Int? {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        guard !octets.isEmpty else { return nil }
        if isBlank(octets[0]) { return 0 }
        // A loop without branches takes many octets at a time; which one is wrong is asked only when one is.
        var faults: UInt8 = 0
        for index in octets.indices {
            let octet = octets[index]
            faults |= (octet < 0x20 ? 1 : 0) & (octet != 0x09 ? 1 : 0) | (octet == 0x7F ? 1 : 0)
        }
        if faults != 0 {
            for index in octets.indices where isForbidden(octets[index]) { return index }
        }
        return isBlank(octets[octets.count - 1]) ? octets.count - 1 : nil
    }

    private static func isForbidden(_ octet: UInt8) -> Bool {
        octet < 0x20 && octet != 0x09 || octet == 0x7F
    }
}

extension HTTPField: CustomReflectable {
    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A decimal number of section 3.3.2 of RFC 9651: at most 12 digits before the point and 3 after it, kept exactly.
public struct DecimalNumber: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number times 1,000.
    public let thousandths: Int64

    /// Makes a number from its thousandths.
    ///
    /// - Throws: ``StructuredFieldError`` with `numberOutOfRange` beyond 15 digits.
    public init(thousandths: Int64) throws(StructuredFieldError) {
        guard BareItem.integerRange.contains(thousandths) else {
            throw StructuredFieldError(.numberOutOfRange)
        }
        self.thousandths = thousandths
    }

    /// Rounds a number to thousandths, a tie to the even one, as section 4.1.5 wants it.
    ///
    /// - Throws: ``StructuredFieldError`` with `numberOutOfRange` for more than 12 digits before the point once it is
    ///   rounded, for infinity and for what is not a number.
    public init(rounding number: Double) throws(StructuredFieldError) {
        let scaled = number * 1000
        guard scaled.magnitude < 1e15 else { throw StructuredFieldError(.numberOutOfRange) }
        // Not `rounded()`, which would ask whoever links this target alone for the C library's mathematics.
        var nearest = Int64(scaled)
        let rest = (scaled - Double(nearest)).magnitude
        if rest > 0.5 || (rest == 0.5 && !nearest.isMultiple(of: 2)) { nearest += scaled < 0 ? -1 : 1 }
        try self.init(thousandths: nearest)
    }

    /// Takes thousandths that the reader has already checked.
    init(checked thousandths: Int64) {
        self.thousandths = thousandths
    }

    /// The nearest double.
    public var double: Double { Double(thousandths) / 1000 }

    /// The number as it is serialised: with a point, and one to three digits after it.
    public var description: String {
        let (whole, fraction) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
        var digits = String(fraction + 1000).dropFirst()
        while digits.count > 1, digits.last == "0" { digits.removeLast() }
        return "\(thousandths < 0 ? "-" : "")\(whole).\(digits)"
    }

    /// Whether the first number is the smaller one.
    public static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
        left.thousandths < right.thousandths
    }
}

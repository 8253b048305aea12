/// A JSON number, kept as the digits it was written with.
public struct JSONNumber: Sendable, Hashable {
    /// The text of the number, in the grammar of RFC 8259, section 6.
    public let lexeme: String

    /// Makes a number from an integer.
    public init(_ value: Int64) {
        lexeme = String(value)
    }

    /// Makes a number of a count of thousandths, with at least one digit after the point.
    public init(thousandths: Int64) {
        let magnitude = thousandths.magnitude
        var fraction = String(magnitude % 1000 + 1000).dropFirst()
        while fraction.count > 1, fraction.last == "0" { fraction.removeLast() }
        lexeme = "\(thousandths < 0 ? "-" : "")\(magnitude / 1000).\(fraction)"
    }

    /// Takes text that the reader has already checked.
    init(checked lexeme: String) {
        self.lexeme = lexeme
    }

    /// The number when it is written without fraction and exponent and fits 64 bits; `-0` is 0.
    public var integer: Int64? { Int64(lexeme) }

    /// The nearest double; infinite when the number is too large for one.
    public var double: Double? { Double(lexeme) }
}

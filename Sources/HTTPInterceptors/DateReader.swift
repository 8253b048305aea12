/// Reads the parts of a date from the front of a text; ``HTTPDate`` puts them in order.
struct DateReader {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Passes over a text, or stays where it is when another one stands there.
    mutating func skip(_ text: Substring) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    /// The place of the name that stands here in the list; upper and lower case differ (RFC 9110, section 5.6.7).
    mutating func name(in names: [Substring]) -> Int? {
        for (index, name) in names.enumerated() where skip(name) { return index }
        return nil
    }

    mutating func number(digits count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// The seconds since midnight of `08:49:37`; a leap second counts as the start of the next minute.
    mutating func timeOfDay() -> Int? {
        guard let hour = number(digits: 2), hour < 24, skip(":"), let minute = number(digits: 2), minute < 60,
            skip(":"), let second = number(digits: 2), second <= 60
        else { return nil }
        return (hour * 60 + minute) * 60 + second
    }
}

internal import Encodings
import FoundationEssentials

/// The times of receipts: ISO 8601 in UTC, with as many digits of a second as are not zero.
enum ReceiptTime {
    /// The time, or nil for text that is not `YYYY-MM-DDTHH:MM:SS`, a fraction of 1 to 9 digits if any, and `Z`.
    static func date(_ octets: [UInt8]) -> Date? {
        guard octets.count >= 20, octets.last == UInt8(ascii: "Z") else { return nil }
        for (offset, separator) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")] as [(Int, Character)]
        where octets[offset] != separator.asciiValue {
            return nil
        }
        guard let year = number(octets[0..<4]), let month = number(octets[5..<7]),
            let day = number(octets[8..<10]), let hour = number(octets[11..<13]),
            let minute = number(octets[14..<16]), let second = number(octets[17..<19]), year >= 1970,
            let seconds = CivilTime(
                year: year,
                month: month,
                day: day,
                hour: hour,
                minute: minute,
                second: second
            ).secondsSince1970
        else { return nil }
        var fraction = 0.0
        let tail = octets[19..<(octets.count - 1)]
        if let point = tail.first {
            let digits = tail.dropFirst()
            guard point == UInt8(ascii: "."), digits.count <= 9, let value = number(digits) else {
                return nil
            }
            fraction = Double(value)
            for _ in digits { fraction /= 10 }
        }
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}

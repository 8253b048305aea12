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
            let minute = number(octets[14..<16]), let second = number(octets[17..<19]),
            (1...12).contains(month), (1...days(in: month, of: year)).contains(day),
            hour < 24, minute < 60, second < 60, year >= 1970
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
        let seconds = ((dayNumber(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func days(in month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return switch month {
        case 2: isLeap ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The days from 1970-01-01; years are counted from March, so that the leap day is the last of its year.
    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        return shiftedYear * 365 + shiftedYear / 4 - shiftedYear / 100 + shiftedYear / 400 + dayOfYear
            - 719_468
    }
}

/// Dates as people write and read them.
enum Timestamp {
    /// The last second of the year 9999, after which RFC 3339 has no dates.
    private static let last: Int64 = 253_402_300_799

    /// Seconds since 1970 of a date of RFC 3339, such as `2026-01-01T00:00:00Z`, or of the seconds themselves.
    ///
    /// - Returns: Nil for anything else, for fractions of a second, and for dates outside 1970 to 9999.
    static func seconds(_ text: String) -> Int64? {
        let octets = Array(text.utf8)
        if !octets.isEmpty, octets.allSatisfy(isDigit) {
            return Int64(text).flatMap { (0...last).contains($0) ? $0 : nil }
        }
        guard octets.count == 20 || octets.count == 25,
            matches(octets.prefix(19), "0000-00-00T00:00:00"),
            let year = number(octets[0..<4]), let month = number(octets[5..<7]),
            let day = number(octets[8..<10]), let hour = number(octets[11..<13]),
            let minute = number(octets[14..<16]), let second = number(octets[17..<19]),
            (1...12).contains(month), (1...days(in: month, of: year)).contains(day), hour < 24, minute < 60,
            second < 60, let zone = offset(octets[19...])
        else { return nil }
        let total = dayNumber(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - zone
        return (0...last).contains(total) ? total : nil
    }

    /// Whether seconds since 1970 have a date that ``text(_:)`` can write.
    static func isDate(_ seconds: Int64) -> Bool { (0...last).contains(seconds) }

    /// The date of RFC 3339, in UTC.
    static func text(_ seconds: Int64) -> String {
        // The inverse of `dayNumber`: years start in March, so that the leap day is a year's last.
        let (day, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        let date = [(year, 4), (month, 2), (dayOfYear - (153 * shiftedMonth + 2) / 5 + 1, 2)]
        let time = [(rest / 3_600, 2), (rest / 60 % 60, 2), (rest % 60, 2)]
        return "\(date.map(padded).joined(separator: "-"))T\(time.map(padded).joined(separator: ":"))Z"
    }

    /// How far a date is from now, roughly, for people.
    static func distance(_ seconds: Int64, from now: Int64) -> String {
        let (size, isPast) = (abs(seconds - now), seconds <= now)
        let amount =
            switch size {
            case ..<120: "\(size) s"
            case ..<7_200: "\(size / 60) min"
            case ..<172_800: "\(size / 3_600) h"
            default: "\(size / 86_400) days"
            }
        return isPast ? "\(amount) ago" : "in \(amount)"
    }

    private static func padded(_ part: (value: Int64, width: Int)) -> String {
        let digits = String(part.value)
        return String(repeating: "0", count: max(0, part.width - digits.count)) + digits
    }

    private static func isDigit(_ octet: UInt8) -> Bool { (0x30...0x39).contains(octet) }

    private static func matches(_ octets: ArraySlice<UInt8>, _ pattern: String) -> Bool {
        octets.count == pattern.utf8.count
            && zip(octets, pattern.utf8).allSatisfy { $1 == UInt8(ascii: "0") ? isDigit($0) : $0 == $1 }
    }

    private static func number(_ octets: ArraySlice<UInt8>) -> Int64? {
        Int64(String(decoding: octets, as: UTF8.self))
    }

    /// The seconds by which a zone is ahead of UTC.
    private static func offset(_ zone: ArraySlice<UInt8>) -> Int64? {
        if zone.elementsEqual("Z".utf8) { return 0 }
        guard matches(zone, "+00:00") || matches(zone, "-00:00"),
            let hours = number(zone[20..<22]), let minutes = number(zone[23..<25]), hours < 24, minutes < 60
        else { return nil }
        return (hours * 3_600 + minutes * 60) * (zone.first == UInt8(ascii: "-") ? -1 : 1)
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Days since 1970-01-01 in the Gregorian calendar.
    private static func dayNumber(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let shiftedMonth = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
        return shiftedYear * 365 + shiftedYear / 4 - shiftedYear / 100 + shiftedYear / 400 + dayOfYear
            - 719_468
    }
}

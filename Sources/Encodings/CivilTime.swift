/// A date and time of day in UTC, in the proleptic Gregorian calendar.
///
/// Formatters of Foundation know locales, which a signature must not.
package struct CivilTime: Equatable {
    package var year: Int
    package var month: Int
    package var day: Int
    package var hour = 0
    package var minute = 0
    package var second = 0

    /// The last second of the year 9999, after which the forms of dates have none.
    package static let last: Int64 = 253_402_300_799

    /// Takes parts, which are checked when ``secondsSince1970`` is asked for.
    package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// The time at a number of seconds since 1970.
    package init(secondsSince1970 seconds: Int64) {
        var days = seconds / 86_400
        var rest = seconds % 86_400
        if rest < 0 {
            days -= 1
            rest += 86_400
        }
        // Years that start in March, in cycles of 400 years, put the day of the leap year last.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
        month = Int(shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9)
        year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
        hour = Int(rest / 3_600)
        minute = Int(rest / 60 % 60)
        second = Int(rest % 60)
    }

    /// Seconds since 1970, or nil when a part is out of its range.
    package var secondsSince1970: Int64? {
        guard (0...9_999).contains(year), (1...12).contains(month), day >= 1, (0...23).contains(hour),
            (0...59).contains(minute), (0...59).contains(second)
        else { return nil }
        let shiftedYear = Int64(month <= 2 ? year - 1 : year)
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * Int64(month > 2 ? month - 3 : month + 9) + 2) / 5 + Int64(day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        let seconds = days * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
        // A day that its month does not have comes back as one of the next month.
        return CivilTime(secondsSince1970: seconds) == self ? seconds : nil
    }

    /// `YYYY-MM-DDTHH:MM:SSZ` (RFC 3339, section 5.6), of a year from 0 to 9999.
    package var text: String {
        let date = "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))"
        return "\(date)T\(Self.digits(hour, 2)):\(Self.digits(minute, 2)):\(Self.digits(second, 2))Z"
    }

    /// A number with zeros before it.
    package static func digits(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}

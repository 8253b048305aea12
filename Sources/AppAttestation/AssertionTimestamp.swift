import FoundationEssentials

/// The time of an assertion as text: `YYYY-MM-DDTHH:MM:SSZ`, the form of RFC 3339, section 5.6, in UTC and whole seconds.
///
/// There is one text for each second, so that what is signed is what is read.
package enum AssertionTimestamp {
    /// The text for a time, in seconds since 1970-01-01T00:00:00Z; nil for one outside the years 1970 to 9999.
    package static func text(secondsSince1970 seconds: Int64) -> String? {
        guard (0...253_402_300_799).contains(seconds) else { return nil }
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        // Years that start in March, in cycles of 400 years, put the day of the leap year last.
        let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
            + "T\(digits(rest / 3_600, 2)):\(digits(rest / 60 % 60, 2)):\(digits(rest % 60, 2))Z"
    }

    /// The time that a text gives, in seconds since 1970-01-01T00:00:00Z; nil for any other text.
    package static func secondsSince1970(_ text: String) -> Int64? {
        guard text.utf8.count == 20, let date = ReceiptTime.date(Array(text.utf8)) else { return nil }
        return Int64(date.timeIntervalSince1970)
    }

    private static func digits(_ number: Int64, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}

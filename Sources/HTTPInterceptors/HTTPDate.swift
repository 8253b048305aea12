internal import Encodings
package import FoundationEssentials

/// The three forms of a date in a field (RFC 9110, section 5.6.7), read strictly.
package enum HTTPDate {
    /// The date that a text gives, or nil when it has none of the forms or names a day that there is not.
    ///
    /// A weekday that does not belong to the date is refused. The two digits of a year in the form of RFC 850 mean the
    /// year that is at most 50 years ahead of `now`.
    package static func parse(_ text: String, now: Date) -> Date? {
        imfFixdate(text) ?? rfc850(text, now: now) ?? asctime(text)
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func imfFixdate(_ text: String) -> Date? {
        var reader = DateReader(text)
        guard let weekday = reader.name(in: weekdays.map { $0.prefix(3) }), reader.skip(", "),
            let day = reader.number(digits: 2), reader.skip(" "), let month = reader.name(in: months),
            reader.skip(" "), let year = reader.number(digits: 4), reader.skip(" "),
            let seconds = reader.timeOfDay(), reader.skip(" GMT"), reader.isAtEnd
        else { return nil }
        return date(year: year, month: month + 1, day: day, weekday: weekday, seconds: seconds)
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`.
    private static func rfc850(_ text: String, now: Date) -> Date? {
        var reader = DateReader(text)
        guard let weekday = reader.name(in: weekdays), reader.skip(", "),
            let day = reader.number(digits: 2), reader.skip("-"), let month = reader.name(in: months),
            reader.skip("-"), let shortYear = reader.number(digits: 2), reader.skip(" "),
            let seconds = reader.timeOfDay(), reader.skip(" GMT"), reader.isAtEnd
        else { return nil }
        let yearLength = 365.2425 * 86400
        let thisYear = 1970 + Int((now.timeIntervalSince1970 / yearLength).rounded(.down))
        // The first of the month stands for the day: the 29th of February is not in every century.
        let latest = now.timeIntervalSince1970 + 50 * yearLength
        var year = thisYear - thisYear % 100 + 100 + shortYear
        while let first = CivilTime(year: year, month: month + 1, day: 1).secondsSince1970,
            Double(first) + Double((day - 1) * 86_400 + seconds) > latest
        {
            year -= 100
        }
        return date(year: year, month: month + 1, day: day, weekday: weekday, seconds: seconds)
    }

    /// `Sun Nov  6 08:49:37 1994`.
    private static func asctime(_ text: String) -> Date? {
        var reader = DateReader(text)
        guard let weekday = reader.name(in: weekdays.map { $0.prefix(3) }), reader.skip(" "),
            let month = reader.name(in: months), reader.skip(" "),
            let day = reader.skip(" ") ? reader.number(digits: 1) : reader.number(digits: 2),
            reader.skip(" "), let seconds = reader.timeOfDay(), reader.skip(" "),
            let year = reader.number(digits: 4), reader.isAtEnd
        else { return nil }
        return date(year: year, month: month + 1, day: day, weekday: weekday, seconds: seconds)
    }

    private static let weekdays: [Substring] = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]

    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func date(year: Int, month: Int, day: Int, weekday: Int, seconds: Int) -> Date? {
        guard let midnight = CivilTime(year: year, month: month, day: day).secondsSince1970 else {
            return nil
        }
        // The first of January 1970 was a Thursday.
        let day = Int(midnight / 86_400)
        guard ((day + 4) % 7 + 7) % 7 == weekday else { return nil }
        return Date(timeIntervalSince1970: Double(midnight) + Double(seconds))
    }
}

/// The Time of RFC 5280, section 4.1.2.5, made of seconds since 1970.
enum CertificateTime {
    /// UTCTime through the year 2049, GeneralizedTime after it.
    ///
    /// - Throws: ``CryptographyError`` with code `invalidInput` for a year before 1970 or after 9999.
    static func der(_ seconds: Int64) throws(CryptographyError) -> [UInt8] {
        // 9999-12-31T23:59:59Z, which RFC 5280 gives to certificates without an end.
        guard (0...253_402_300_799).contains(seconds) else {
            throw CryptographyError(.invalidInput, "a certificate's time must be in the years 1970 to 9999")
        }
        let (year, month, day) = date(days: seconds / 86_400)
        let clock = seconds % 86_400
        let tail =
            [month, day, clock / 3600, clock / 60 % 60, clock % 60].map { digits($0, 2) }.joined() + "Z"
        return year < 2050
            ? DER.element(.utcTime, Array((digits(year % 100, 2) + tail).utf8))
            : DER.element(.generalizedTime, Array((digits(year, 4) + tail).utf8))
    }

    /// The Gregorian date of a day counted from 1970-01-01.
    ///
    /// Years are counted from March here, so that the leap day is the last of its year, in eras of 400 years (146 097 days).
    private static func date(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468  // from 0000-03-01
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func digits(_ number: Int64, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}

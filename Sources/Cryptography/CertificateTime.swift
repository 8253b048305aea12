internal import Encodings

/// The Time of RFC 5280, section 4.1.2.5, made of seconds since 1970.
enum CertificateTime {
    /// UTCTime through the year 2049, GeneralizedTime after it.
    ///
    /// - Throws: ``CryptographyError`` with code `invalidInput` for a year before 1970 or after 9999.
    static func der(_ seconds: Int64) throws(CryptographyError) -> [UInt8] {
        // 9999-12-31T23:59:59Z, which RFC 5280 gives to certificates without an end.
        guard (0...CivilTime.last).contains(seconds) else {
            throw CryptographyError(.invalidInput, "a certificate's time must be in the years 1970 to 9999")
        }
        let time = CivilTime(secondsSince1970: seconds)
        let tail =
            [time.month, time.day, time.hour, time.minute, time.second].map { CivilTime.digits($0, 2) }
            .joined() + "Z"
        return time.year < 2050
            ? DER.element(.utcTime, Array((CivilTime.digits(time.year % 100, 2) + tail).utf8))
            : DER.element(.generalizedTime, Array((CivilTime.digits(time.year, 4) + tail).utf8))
    }
}

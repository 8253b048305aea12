import FoundationEssentials
import HTTPInterceptors
import Testing

@Suite("Dates in fields") struct HTTPDateTests {
    /// 2026-01-01T00:00:00Z.
    private let now = Date(timeIntervalSince1970: 1_767_225_600)

    @Test(arguments: [
        // RFC 9110, section 5.6.7.
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777.0),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
        ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200),
        ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800),
        ("Wed Nov 16 08:49:37 1994", 784_975_777),
    ]) func itIsRead(text: String, seconds: Double) {
        #expect(HTTPDate.parse(text, now: now)?.timeIntervalSince1970 == seconds)
    }

    @Test(
        arguments: [
            ("Tuesday, 01-Jan-75 00:00:00 GMT", 3_313_526_400), ("Wednesday, 01-Jan-75 00:00:00 GMT", nil),
            ("Wednesday, 01-Jan-76 00:00:00 GMT", 3_345_062_400), ("Thursday, 01-Jan-76 00:00:00 GMT", nil),
            ("Saturday, 01-Jan-77 00:00:00 GMT", 220_924_800),
            ("Monday, 29-Feb-72 00:00:00 GMT", 3_223_929_600),
        ] as [(String, Double?)]
    ) func aShortYearIsAtMostFiftyYearsAhead(text: String, seconds: Double?) {
        #expect(HTTPDate.parse(text, now: now)?.timeIntervalSince1970 == seconds)
    }

    @Test(arguments: [
        "", " ", "Sun, 06 Nov 1994 08:49:37 GMT ", " Sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 gmt",
        "Sun, 06 Nov 1994 08:49:37 +0000", "sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
        "Mon, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 19944 08:49:37 GMT",
        "Sun 06 Nov 1994 08:49:37 GMT", "Sun,06 Nov 1994 08:49:37 GMT", "Sun, 06  Nov 1994 08:49:37 GMT",
        "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 6-Nov-94 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
        "Sun Nov 06 08:49:37 94", "Sun Nov  6 08:49:37 1994 GMT", "Sun Nov  16 08:49:37 1994",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Thu, 00 Jan 1970 00:00:00 GMT",
        "Sun, 32 Jan 2026 00:00:00 GMT", "Wed, 31 Apr 2024 00:00:00 GMT", "Thu, 29 Feb 2023 00:00:00 GMT",
        "Wed, 29 Feb 2023 00:00:00 GMT", "Mon, 29 Feb 2100 00:00:00 GMT", "Mon, 01 Mar 210٠ 00:00:00 GMT",
        "Sun, 06 Now 1994 08:49:37 GMT", "Sun, -6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT",
    ]) func whatIsNotInAFormIsRefused(text: String) {
        #expect(HTTPDate.parse(text, now: now) == nil)
    }

    @Test(arguments: (0..<304).map { $0 * 9_973 - 140_000 }) func allFormsOfADayAgree(
        day: Int
    ) throws {
        let date = Date(timeIntervalSince1970: Double(day) * 86400 + 3_723)
        let style = Date.ISO8601FormatStyle(timeZone: .gmt)
        let parts = date.formatted(style).split { "-T:Z".contains($0) }.map(String.init)
        try #require(parts.count == 6)
        let weekdays = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let weekday = weekdays[(day % 7 + 7) % 7]
        let month = months[try #require(Int(parts[1])) - 1]
        let asctimeDay = parts[2].hasPrefix("0") ? " " + parts[2].dropFirst() : parts[2]
        let forms = [
            "\(weekday.prefix(3)), \(parts[2]) \(month) \(parts[0]) 01:02:03 GMT",
            "\(weekday), \(parts[2])-\(month)-\(parts[0].suffix(2)) 01:02:03 GMT",
            "\(weekday.prefix(3)) \(month) \(asctimeDay) 01:02:03 \(parts[0])",
        ]
        // Read at that date, the short year is the right one.
        for form in forms { #expect(HTTPDate.parse(form, now: date) == date, "\(form)") }
    }
}

internal import Encodings
import FoundationEssentials

/// Reads the two written forms of a date that services answer with, and nothing like them.
enum TimestampReader {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `2015-12-30T12:00:00Z` with up to nine digits of a second (RFC 3339, section 5.6, in UTC).
    static func date(fromISO8601 text: String) -> Date? {
        let octets = Array(text.utf8)
        guard octets.count >= 20, octets.last == UInt8(ascii: "Z"),
            pattern(of: octets.prefix(19)) == "0000-00-00T00:00:00"
        else { return nil }
        let fraction = octets[19..<octets.count - 1]
        if let first = fraction.first {
            guard first == UInt8(ascii: "."), (2...10).contains(fraction.count),
                fraction.dropFirst().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
            else { return nil }
        }
        let time = CivilTime(
            year: number(octets[0..<4]),
            month: number(octets[5..<7]),
            day: number(octets[8..<10]),
            hour: number(octets[11..<13]),
            minute: number(octets[14..<16]),
            second: number(octets[17..<19])
        )
        return time.secondsSince1970.map { Date(timeIntervalSince1970: Double($0)) }
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`: the one form that a server may send (RFC 9110, section 5.6.7).
    static func date(fromHTTP text: String) -> Date? {
        let octets = Array(text.utf8)
        guard octets.count == 29, octets[3] == UInt8(ascii: ","), octets[4] == UInt8(ascii: " "),
            pattern(of: octets[5..<7]) == "00", pattern(of: octets[12..<25]) == "0000 00:00:00",
            text.hasSuffix(" GMT"),
            octets[7] == UInt8(ascii: " "), octets[11] == UInt8(ascii: " "),
            let month = months.firstIndex(of: String(decoding: octets[8..<11], as: UTF8.self))
        else { return nil }
        let time = CivilTime(
            year: number(octets[12..<16]),
            month: month + 1,
            day: number(octets[5..<7]),
            hour: number(octets[17..<19]),
            minute: number(octets[20..<22]),
            second: number(octets[23..<25])
        )
        return time.secondsSince1970.map { Date(timeIntervalSince1970: Double($0)) }
    }

    /// The text with every digit written as 0.
    private static func pattern(of octets: ArraySlice<UInt8>) -> String {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return String(decoding: octets.map { digits.contains($0) ? UInt8(ascii: "0") : $0 }, as: UTF8.self)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int {
        digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}

import Encodings

/// Dates as people write and read them.
enum Timestamp {
    /// Seconds since 1970 of a date of RFC 3339, such as `2026-01-01T00:00:00Z`, or of the seconds themselves.
    ///
    /// - Returns: Nil for anything else, for fractions of a second, and for dates outside 1970 to 9999.
    static func seconds(_ text: String) -> Int64? {
        let octets = Array(text.utf8)
        if !octets.isEmpty, octets.allSatisfy(isDigit) {
            return Int64(text).flatMap { (0...CivilTime.last).contains($0) ? $0 : nil }
        }
        guard octets.count == 20 || octets.count == 25,
            matches(octets.prefix(19), "0000-00-00T00:00:00"),
            let year = number(octets[0..<4]), let month = number(octets[5..<7]),
            let day = number(octets[8..<10]), let hour = number(octets[11..<13]),
            let minute = number(octets[14..<16]), let second = number(octets[17..<19]),
            let zone = offset(octets[19...]),
            let seconds = CivilTime(
                year: year,
                month: month,
                day: day,
                hour: hour,
                minute: minute,
                second: second
            ).secondsSince1970
        else { return nil }
        return (0...CivilTime.last).contains(seconds - zone) ? seconds - zone : nil
    }

    /// Whether seconds since 1970 have a date that ``text(_:)`` can write.
    static func isDate(_ seconds: Int64) -> Bool { (0...CivilTime.last).contains(seconds) }

    /// The date of RFC 3339, in UTC.
    static func text(_ seconds: Int64) -> String { CivilTime(secondsSince1970: seconds).text }

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

    private static func isDigit(_ octet: UInt8) -> Bool { (0x30...0x39).contains(octet) }

    private static func matches(_ octets: ArraySlice<UInt8>, _ pattern: String) -> Bool {
        octets.count == pattern.utf8.count
            && zip(octets, pattern.utf8).allSatisfy { $1 == UInt8(ascii: "0") ? isDigit($0) : $0 == $1 }
    }

    private static func number(_ octets: ArraySlice<UInt8>) -> Int? {
        Int(String(decoding: octets, as: UTF8.self))
    }

    /// The seconds by which a zone is ahead of UTC.
    private static func offset(_ zone: ArraySlice<UInt8>) -> Int64? {
        if zone.elementsEqual("Z".utf8) { return 0 }
        guard matches(zone, "+00:00") || matches(zone, "-00:00"),
            let hours = number(zone[20..<22]), let minutes = number(zone[23..<25]), hours < 24, minutes < 60
        else { return nil }
        return Int64(hours * 3_600 + minutes * 60) * (zone.first == UInt8(ascii: "-") ? -1 : 1)
    }
}

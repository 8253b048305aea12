internal import Encodings
import FoundationEssentials

/// The time of an assertion as text: `YYYY-MM-DDTHH:MM:SSZ`, the form of RFC 3339, section 5.6, in UTC and whole seconds.
///
/// There is one text for each second, so that what is signed is what is read.
package enum AssertionTimestamp {
    /// The text for a time, in seconds since 1970-01-01T00:00:00Z; nil for one outside the years 1970 to 9999.
    package static func text(secondsSince1970 seconds: Int64) -> String? {
        (0...CivilTime.last).contains(seconds) ? CivilTime(secondsSince1970: seconds).text : nil
    }

    /// The time that a text gives, in seconds since 1970-01-01T00:00:00Z; nil for any other text.
    package static func secondsSince1970(_ text: String) -> Int64? {
        guard text.utf8.count == 20, let date = ReceiptTime.date(Array(text.utf8)) else { return nil }
        return Int64(date.timeIntervalSince1970)
    }
}

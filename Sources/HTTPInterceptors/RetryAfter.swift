import FoundationEssentials
import HTTPMessages

/// How long a server asks to be left alone (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// The wait that a response asks for, or nil when it has no `Retry-After`, several, or one that is in no form.
    ///
    /// A date is compared with the response's own `Date`, when it has one, so that a wrong clock here does no harm. A
    /// date that has passed asks for no wait.
    static func delay(in response: HTTPResponse, now: Date) -> Duration? {
        let values = response.fields[values: .retryAfter]
        guard values.count == 1, let value = values.first, !value.isEmpty else { return nil }
        if value.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) {
            // Digits that are no Int64 ask for longer than anybody waits.
            return .seconds(Int64(value) ?? .max)
        }
        let sent = response.fields[.date].flatMap { HTTPDate.parse($0, now: now) } ?? now
        return HTTPDate.parse(value, now: sent).map { .seconds(max(0, $0.timeIntervalSince(sent))) }
    }
}

internal import Encodings
internal import FoundationEssentials
internal import HTTPMessages

/// The moment of a signature, written as `20150830T123600Z`.
///
/// A class, because all signatures of one second share it.
final class SigningTime: Sendable {
    /// Seconds since 1970, rounded down.
    let seconds: Int64
    /// The sixteen characters.
    let octets: [UInt8]
    /// The same as text.
    let text: String
    /// The same as `X-Amz-Date`.
    let field: HTTPField

    /// The eight characters of the day, which is part of the scope and of the key.
    var day: ArraySlice<UInt8> { octets[..<8] }
    /// The day as a number, which is quicker to compare.
    var dayNumber: Int64 { seconds / 86_400 }

    /// - Throws: ``AWSSigningError`` with code `invalidDate` for a date outside the years 1970 to 9999.
    init(_ date: Date) throws(AWSSigningError) {
        let interval = date.timeIntervalSince1970.rounded(.down)
        guard interval >= 0, interval < 253_402_300_800 else {
            throw AWSSigningError(.invalidDate, "the signing date is outside the years 1970 to 9999")
        }
        seconds = Int64(interval)
        let time = CivilTime(secondsSince1970: seconds)
        var octets: [UInt8] = []
        octets.reserveCapacity(16)
        Self.append(time.year, digits: 4, to: &octets)
        Self.append(time.month, digits: 2, to: &octets)
        Self.append(time.day, digits: 2, to: &octets)
        octets.append(UInt8(ascii: "T"))
        Self.append(time.hour, digits: 2, to: &octets)
        Self.append(time.minute, digits: 2, to: &octets)
        Self.append(time.second, digits: 2, to: &octets)
        octets.append(UInt8(ascii: "Z"))
        self.octets = octets
        text = String(decoding: octets, as: UTF8.self)
        field = try RequestSigner.field(.amzDate, text)
    }

    /// Whether a date is in the second of this one.
    func covers(_ date: Date) -> Bool {
        date.timeIntervalSince1970.rounded(.down) == Double(seconds)
    }

    private static func append(_ number: Int, digits: Int, to octets: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            octets.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
    }
}

internal import Encodings
internal import FoundationEssentials
internal import HTTPMessages
internal import Locking

/// How far the clocks of services are from this machine's, learnt from their refusals.
///
/// A `Date` alone changes nothing: only a response that refuses a signature for its time does, over TLS or on this
/// machine, and by no more than a limit; or, for HEAD, whose refusals say no reason, that a date was tried and taken. Who
/// could set our clock could have us sign for days that have not come.
final class ClockSkew: Sendable {
    /// Codes that mean the time and nothing else.
    private static let certain: Set<String> = [
        "RequestTimeTooSkewed", "RequestExpired", "RequestInTheFuture",
    ]
    /// Codes that services also give for the time.
    private static let possible: Set<String> = [
        "InvalidSignatureException", "SignatureDoesNotMatch", "AuthFailure",
    ]
    /// Services allow five minutes; what is below four is not why a request was refused.
    private static let least = 240.0
    private static let capacity = 64
    /// How much of an error is read, in octets.
    static let longestError = 64 << 10

    private let limit: Double
    private let offsets = Mutex<[String: Double]>([:])

    init(limit: Duration) {
        self.limit = limit / .seconds(1)
    }

    /// The seconds to add to this machine's clock for a service.
    func offset(for target: RequestTarget) -> Double {
        offsets.withLock { $0[target.origin] ?? 0 }
    }

    /// Whether credentials that have ended may be good by a service's clock, of which nothing was learnt yet: its refusal
    /// then tells.
    func mayExcuse(end: Date, at date: Date, for target: RequestTarget) -> Bool {
        guard target.isSecure || target.isLoopback, date.timeIntervalSince(end) < limit else { return false }
        return offsets.withLock { $0[target.origin] == nil }
    }

    /// What a refusal suggests to sign with, if its code says that the time is why.
    ///
    /// - Parameters:
    ///   - response: What the service answered.
    ///   - target: Which service.
    ///   - used: The offset that this attempt was signed with; others may have changed it since.
    ///   - now: What this machine's clock showed when the response came.
    /// - Returns: The offset; nil when the time cannot be why, or nothing is to be learnt here.
    func suggestion(
        in response: HTTPResponse,
        of target: RequestTarget,
        used: Double,
        now: Date
    ) -> Double? {
        guard Self.isRefusal(response), target.isSecure || target.isLoopback else { return nil }
        let dates = response.fields[values: .date]
        guard dates.count == 1, let date = TimestampReader.date(fromHTTP: dates[0]) else { return nil }
        let offset = date.timeIntervalSince(now).rounded()
        guard abs(offset) <= limit, abs(offset - used) >= Self.least else { return nil }
        return offset
    }

    /// Keeps an offset for the requests to come.
    func keep(_ offset: Double, for target: RequestTarget) {
        offsets.withLock { offsets in
            if offsets.count >= Self.capacity, offsets[target.origin] == nil { offsets = [:] }
            offsets[target.origin] = offset
        }
    }

    /// Keeps that a service took the date of this machine, unless more is known of it.
    func keepAgreement(of target: RequestTarget) {
        guard offsets.withLock({ $0[target.origin] == nil }) else { return }
        keep(0, for: target)
    }

    /// Whether a service may have refused a signature.
    static func isRefusal(_ response: HTTPResponse) -> Bool {
        [400, 401, 403].contains(response.status.code)
    }

    /// Whether a code may mean the time.
    static func mayMeanTime(_ code: String) -> Bool { certain.contains(code) || possible.contains(code) }

    /// The code in an error of S3, of the query protocol, or of the JSON protocols.
    static func errorCode(of response: HTTPResponse, content: [UInt8]) -> String? {
        if let type = response.fields["x-amzn-ErrorType"] { return shortened(type) }
        guard content.count <= longestError,
            let first = content.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) })
        else { return nil }
        if first == UInt8(ascii: "{") {
            let object = (try? JSONValue(parsing: content))?.object
            let names = ["__type", "code", "Code"]
            return names.lazy.compactMap { object?[$0]?.string }.first.map(shortened)
        }
        let octets = Array(content.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) })
        return (try? XMLElement(octets))?.first("Code")?.text
    }

    /// `namespace#Code:url` without what stands around the code.
    private static func shortened(_ type: String) -> String {
        let start = type.lastIndex(of: "#").map { type.index(after: $0) } ?? type.startIndex
        return String(type[start...].prefix { $0 != ":" })
    }
}

internal import FoundationEssentials
internal import Locking

/// The keys that a signer has derived: four HMACs that need not be made for each request.
///
/// A key is for one day, one region and service (those of the signer) and one secret. Few are alive at a time: the
/// newest credentials, today, and for some minutes yesterday.
final class SigningKeyCache: Sendable {
    private static let capacity = 8

    private let keys = Mutex<[DayKey]>([])
    private let newestTime = Mutex<SigningTime?>(nil)

    /// A date as it is written; many requests are signed in one second.
    ///
    /// - Throws: ``AWSSigningError`` with code `invalidDate`.
    func time(_ date: Date) throws(AWSSigningError) -> SigningTime {
        let known = newestTime.withLock { $0 }
        if let known, known.covers(date) { return known }
        let time = try SigningTime(date)
        newestTime.withLock { $0 = time }
        return time
    }

    /// The key for credentials on a day, when it is there.
    func key(for credentials: AWSCredentials, day: Int64) -> DayKey? {
        keys.withLock { keys in keys.first { $0.isOf(credentials, day: day) } }
    }

    /// Keeps a key, in place of one that was made for the same at the same time.
    func insert(_ key: DayKey) {
        keys.withLock { keys in
            keys.removeAll { $0.isSame(as: key) }
            keys.insert(key, at: 0)
            if keys.count > Self.capacity { keys.removeLast() }
        }
    }
}

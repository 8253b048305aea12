internal import Cryptography
internal import FoundationEssentials
internal import Locking

/// The keys that a signer has derived: four HMACs that need not be made for each request.
///
/// A key is for one day, one region and service (those of the signer) and one secret. Few are alive at a time: the
/// newest credentials, today, and for some minutes yesterday.
final class SigningKeyCache: Sendable {
    private struct Entry {
        let day: Int64
        let accessKeyID: String
        let secret: SecretBytes
        let key: DayKey
    }

    private static let capacity = 8

    private let entries = Mutex<[Entry]>([])
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

    /// The key for credentials on a day, made when it is not there.
    ///
    /// - Throws: What `make` throws.
    func key(
        for credentials: AWSCredentials,
        day: Int64,
        make: () throws(AWSSigningError) -> DayKey
    ) throws(AWSSigningError) -> DayKey {
        let known = entries.withLock { entries in
            entries.first { $0.day == day && Self.isSame($0, credentials) }?.key
        }
        if let known { return known }
        // Made outside the lock: two callers may derive the same key once, and nobody waits for a derivation.
        let key = try make()
        let entry = Entry(
            day: day,
            accessKeyID: credentials.accessKeyID,
            secret: credentials.secretAccessKey,
            key: key
        )
        entries.withLock { entries in
            entries.removeAll { $0.day == day && Self.isSame($0, credentials) }
            entries.insert(entry, at: 0)
            if entries.count > Self.capacity { entries.removeLast() }
        }
        return key
    }

    private static func isSame(_ entry: Entry, _ credentials: AWSCredentials) -> Bool {
        entry.accessKeyID == credentials.accessKeyID
            && (entry.secret === credentials.secretAccessKey || entry.secret == credentials.secretAccessKey)
    }
}

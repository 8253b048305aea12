internal import Cryptography
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
        let key: SigningKey
    }

    private static let capacity = 8

    private let entries = Mutex<[Entry]>([])

    /// The key for credentials on a day, made when it is not there.
    ///
    /// - Throws: What `make` throws.
    func key(
        for credentials: AWSCredentials,
        day: Int64,
        make: () throws(AWSSigningError) -> SigningKey
    ) throws(AWSSigningError) -> SigningKey {
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

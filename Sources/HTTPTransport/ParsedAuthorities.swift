import HTTPMessages
import Locking

/// The servers of a session that libcurl has parsed; most requests of an app go to a few of them.
final class ParsedAuthorities: Sendable {
    private struct Key: Hashable {
        let authority: String
        let isSecure: Bool
    }

    private static let maximumCount = 256

    private let known = Mutex<[Key: ParsedAuthority]>([:])

    /// The server of a target.
    ///
    /// - Throws: ``TransportError`` with code `targetMismatch` when libcurl reads another server in it.
    func authority(of target: RequestTarget) throws(TransportError) -> ParsedAuthority {
        let key = Key(authority: target.authority, isSecure: target.isSecure)
        if let authority = known.withLock({ $0[key] }) { return authority }
        let authority = try ParsedAuthority(target)
        known.withLock { known in
            if known.count >= Self.maximumCount { known = [:] }
            known[key] = authority
        }
        return authority
    }
}

import Locking

/// Remembers the header of the last token that passed.
///
/// An issuer writes the same header into every token until its key changes, so most headers need not be read again
/// (about a third of the time of checking a short token with HS256). Only headers under a right signature are kept:
/// nobody else can put anything in here.
final class HeaderMemory: Sendable {
    private let last = Mutex<(encoded: [UInt8], header: TokenHeader)?>(nil)

    /// The header whose encoded form this is, if it is the one remembered.
    func header(for encoded: ArraySlice<UInt8>) -> TokenHeader? {
        last.withLock { last in
            guard let last, last.encoded.count == encoded.count, last.encoded.elementsEqual(encoded) else {
                return nil
            }
            return last.header
        }
    }

    /// Remembers a header, in place of the one before.
    func keep(_ header: TokenHeader, encoded: ArraySlice<UInt8>) {
        last.withLock { last in
            guard last?.encoded.elementsEqual(encoded) != true else { return }
            last = (Array(encoded), header)
        }
    }
}

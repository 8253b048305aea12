import Cryptography
import Encodings

/// What tells a server that two requests are one that was sent twice.
///
/// The field `Idempotency-Key` holds it as a string of RFC 9651, as the IETF's draft on that field says. It stays the same
/// on every retry, and a `RetryInterceptor` sends a request that has one again whatever its method.
public struct IdempotencyKey: Sendable, Hashable {
    /// The key.
    public let value: String

    /// Takes a key.
    ///
    /// - Throws: ``APIError`` with code `invalidHeader` when it is empty, longer than 255 octets or holds another character
    ///   than those of printable ASCII.
    public init(_ value: String) throws(APIError) {
        guard (1...255).contains(value.utf8.count), value.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else {
            throw APIError(.invalidHeader, "an idempotency key is 1 to 255 printable characters of ASCII")
        }
        self.value = value
    }

    /// Makes a key of 128 random bits.
    ///
    /// - Throws: ``APIError`` with code `encoding` when there are no random octets.
    public static func random() throws(APIError) -> IdempotencyKey {
        do throws(CryptographyError) {
            return IdempotencyKey(checked: Hex.encode(try RandomBytes.generate(count: 16)))
        } catch {
            throw APIError(.encoding, "there are no random octets", underlying: error)
        }
    }

    private init(checked value: String) {
        self.value = value
    }

    /// The value of the field: a quoted string (RFC 9651, section 4.1.6).
    var fieldValue: String {
        var text = "\""
        for character in value {
            if character == "\"" || character == "\\" { text.append("\\") }
            text.append(character)
        }
        return text + "\""
    }
}

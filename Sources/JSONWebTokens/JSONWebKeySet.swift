public import Encodings

/// A set of keys (RFC 7517, section 5) in which a `kid` says which one.
///
/// A set holds secrets or public keys, not both: with both, a token could ask for a public key to be used as a secret,
/// and the only thing in the way would be one comparison.
public struct JSONWebKeySet: Sendable {
    /// The keys, in order.
    public let keys: [JSONWebKey]

    /// Makes a set.
    ///
    /// - Throws: ``TokenError`` with code `invalidKeySet` when two keys have one `kid`, or secrets stand beside others.
    public init(_ keys: [JSONWebKey]) throws(TokenError) {
        var names: [String] = []
        for key in keys {
            guard let name = key.keyID else { continue }
            guard !names.contains(where: { $0.hasSameCharacters(as: name) }) else {
                throw TokenError(.invalidKeySet, "two keys of the set have one kid")
            }
            names.append(name)
        }
        guard keys.allSatisfy(\.isSecret) || !keys.contains(where: \.isSecret) else {
            throw TokenError(.invalidKeySet, "the set holds secrets beside public keys")
        }
        self.keys = keys
    }

    /// Reads a set from JSON text.
    ///
    /// Entries that are for something else are skipped, as RFC 7517 asks: another `kty`, `crv` or `alg`, a `use` of
    /// `enc`, other `key_ops`. An entry that is for signatures but broken or weak makes the whole set fail.
    ///
    /// - Parameters:
    ///   - json: The JSON object with the member `keys`, in UTF-8.
    ///   - algorithm: The algorithm for RSA keys and secrets without `alg`.
    /// - Throws: ``TokenError`` with code `invalidKeySet` when the text is not such an object, or those of ``init(_:)``
    ///   and of ``JSONWebKey/init(_:algorithm:)``.
    public init(parsing json: [UInt8], algorithm: TokenAlgorithm? = nil) throws(TokenError) {
        guard let entries = try KeyText.object(json)["keys"]?.array else {
            throw TokenError(.invalidKeySet, "the set has no array keys")
        }
        var keys: [JSONWebKey] = []
        for entry in entries {
            guard let object = entry.object else {
                throw TokenError(.invalidKeySet, "an entry of the set is not an object")
            }
            do throws(TokenError) {
                // The choice is for the keys that leave one; for the others their own alg or type decides.
                let isOpen = object["alg"] == nil && (object["kty"] == "RSA" || object["kty"] == "oct")
                keys.append(try JSONWebKey(object, algorithm: isOpen ? algorithm : nil))
            } catch {
                guard [.unsupportedKey, .unsupportedAlgorithm, .wrongKeyUse].contains(error.code) else {
                    throw error
                }
            }
        }
        try self.init(keys)
    }

    /// The key of this name.
    public subscript(keyID: String) -> JSONWebKey? {
        keys.first { $0.keyID?.hasSameCharacters(as: keyID) ?? false }
    }

    /// The public halves as a JSON object with the member `keys`, for publication.
    ///
    /// - Throws: ``TokenError`` with code `wrongKeyUse` when the set holds secrets.
    public func publicObject() throws(TokenError) -> JSONObject {
        var entries: [JSONValue] = []
        for key in keys { entries.append(.object(try key.publicObject())) }
        var object = JSONObject()
        object["keys"] = .array(entries)
        return object
    }
}

extension String {
    /// Whether both texts are the same code points (RFC 7519, section 7.3).
    ///
    /// Swift's `==` takes texts as equal that merely look so, such as a letter with its accent in one piece or in two.
    func hasSameCharacters(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}

public import Encodings

/// The header of a token (RFC 7515, section 4).
public struct TokenHeader: Sendable, Hashable {
    /// The name of the algorithm, `alg`, as written.
    public let algorithm: String
    /// The name of the key, `kid`.
    public let keyID: String?
    /// The type of the whole token, `typ`.
    public let type: String?
    /// The extensions that must be understood, `crit`; empty when there are none.
    public let critical: [String]
    /// All members, in order, known or not.
    public let members: JSONObject

    /// Reads the members.
    ///
    /// - Throws: ``TokenError`` with code `invalidHeader`.
    init(_ members: JSONObject) throws(TokenError) {
        guard let algorithm = members["alg"]?.string else {
            throw TokenError(.invalidHeader, "the header needs a string alg")
        }
        self.algorithm = algorithm
        self.members = members
        keyID = try Self.text("kid", members)
        type = try Self.text("typ", members)
        critical = try Self.criticalNames(members)
    }

    private static func text(_ name: String, _ members: JSONObject) throws(TokenError) -> String? {
        guard let value = members[name] else { return nil }
        guard let text = value.string else {
            throw TokenError(.invalidHeader, "the header's \(name) is not a string")
        }
        return text
    }

    /// The names in `crit`, which must be there when `crit` is, stand once and be members themselves (section 4.1.11).
    private static func criticalNames(_ members: JSONObject) throws(TokenError) -> [String] {
        guard let value = members["crit"] else { return [] }
        var names: [String] = []
        for element in value.array ?? [] {
            guard let name = element.string, members[name] != nil, !names.contains(name) else {
                throw TokenError(.invalidHeader, "the header's crit does not name members of the header")
            }
            names.append(name)
        }
        guard !names.isEmpty else {
            throw TokenError(.invalidHeader, "the header's crit is not an array of names")
        }
        return names
    }
}

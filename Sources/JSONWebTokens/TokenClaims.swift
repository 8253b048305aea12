public import Encodings

/// The claims of a token (RFC 7519, section 4): the registered ones with their types, and any other.
///
/// Times are seconds since 1970-01-01T00:00:00Z. A fraction is rounded so that it changes no answer for a clock that counts
/// whole seconds, rounded down: `exp` to the next second, `nbf` and `iat` to the one that has begun.
public struct TokenClaims: Sendable, Hashable {
    /// All claims, in order.
    public private(set) var members: JSONObject

    /// Makes an empty set of claims.
    public init() { members = JSONObject() }

    /// Takes claims from a JSON object.
    ///
    /// - Throws: ``TokenError`` with code `invalidClaims` when a registered claim has the wrong type, or a time is
    ///   negative or after the year 9999.
    public init(_ members: JSONObject) throws(TokenError) {
        self.members = members
        try check()
    }

    /// Any claim by its name; setting nil removes it.
    public subscript(name: String) -> JSONValue? {
        get { members[name] }
        set { members[name] = newValue }
    }

    /// Who issued the token, `iss`.
    public var issuer: String? {
        get { members["iss"]?.string }
        set { members["iss"] = newValue.map(JSONValue.string) }
    }

    /// Whom the token is about, `sub`.
    public var subject: String? {
        get { members["sub"]?.string }
        set { members["sub"] = newValue.map(JSONValue.string) }
    }

    /// Whom the token is for, `aud`; one name is written as a string, several as an array.
    public var audience: [String]? {
        get {
            guard let value = members["aud"] else { return nil }
            return value.string.map { [$0] } ?? value.array?.compactMap(\.string)
        }
        set {
            members["aud"] = newValue.map { names in
                if names.count == 1, let name = names.first { return .string(name) }
                return .array(names.map(JSONValue.string))
            }
        }
    }

    /// From when on the token is no longer valid, `exp`.
    public var expiration: Int64? {
        get { members["exp"].flatMap { Self.seconds($0, .up) } }
        set { members["exp"] = newValue.map(JSONValue.integer) }
    }

    /// Before when the token is not yet valid, `nbf`.
    public var notBefore: Int64? {
        get { members["nbf"].flatMap { Self.seconds($0, .down) } }
        set { members["nbf"] = newValue.map(JSONValue.integer) }
    }

    /// When the token was issued, `iat`.
    public var issuedAt: Int64? {
        get { members["iat"].flatMap { Self.seconds($0, .down) } }
        set { members["iat"] = newValue.map(JSONValue.integer) }
    }

    /// The name of this one token, `jti`.
    public var tokenID: String? {
        get { members["jti"]?.string }
        set { members["jti"] = newValue.map(JSONValue.string) }
    }

    /// Refuses registered claims of the wrong type.
    func check() throws(TokenError) {
        for (name, value) in members.members {
            let isRight =
                switch name {
                case "iss", "sub", "jti": value.string != nil
                case "aud": value.string != nil || value.array?.allSatisfy { $0.string != nil } ?? false
                case "exp", "nbf", "iat": Self.seconds(value, .up) != nil
                default: true
                }
            guard isRight else {
                throw TokenError(.invalidClaims, "a registered claim has a wrong type or value")
            }
        }
    }

    /// A NumericDate in whole seconds; nil unless it is a number within the years 1970 to 9999.
    private static func seconds(_ value: JSONValue, _ rule: FloatingPointRoundingRule) -> Int64? {
        guard case .number(let number) = value else { return nil }
        let range: ClosedRange<Int64> = 0...253_402_300_799
        if let integer = number.integer { return range.contains(integer) ? integer : nil }
        guard let seconds = number.double, seconds >= 0, seconds <= Double(range.upperBound) else {
            return nil
        }
        return Int64(seconds.rounded(rule))
    }
}

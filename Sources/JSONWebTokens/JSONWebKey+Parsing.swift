import Cryptography
public import Encodings

extension JSONWebKey {
    /// Reads a key from JSON text.
    ///
    /// - Parameters:
    ///   - json: The JSON object of RFC 7517, in UTF-8.
    ///   - algorithm: The algorithm, for a key that leaves a choice and has no `alg`: an RSA key or a secret.
    /// - Throws: ``TokenError`` with code `invalidKey`, `duplicateMember`, or those of ``init(_:algorithm:)``.
    public init(parsing json: [UInt8], algorithm: TokenAlgorithm? = nil) throws(TokenError) {
        try self.init(KeyText.object(json), algorithm: algorithm)
    }

    /// Reads a key from a JSON object.
    ///
    /// A key with a `d` is private. Binary values must be canonical base64url, coordinates as wide as their curve, and
    /// RSA numbers without leading zeros (RFC 7518, sections 2 and 6).
    ///
    /// - Parameters:
    ///   - object: The members of the key; those not known are ignored.
    ///   - algorithm: The algorithm, for a key that leaves a choice and has no `alg`. With an `alg` it must be the same.
    /// - Throws: ``TokenError`` with code `invalidKey` for values that are not in their form, `unsupportedKey` for another
    ///   `kty` or `crv`, `weakKey`, `wrongKeyUse` for a `use` or `key_ops` that is not about signatures,
    ///   `unsupportedAlgorithm`, `algorithmMismatch` or `missingAlgorithm`.
    public init(_ object: JSONObject, algorithm: TokenAlgorithm? = nil) throws(TokenError) {
        let members = KeyText(object)
        let type = try members.text("kty")
        guard ["EC", "OKP", "RSA", "oct"].contains(type) else {
            throw TokenError(.unsupportedKey, "the key type is not EC, OKP, RSA or oct")
        }
        let operations = try Self.operations(members)
        let named = try Self.algorithm(members, chosen: algorithm)
        let keyID = try members.textIfPresent("kid")
        let isPrivate = object["d"] != nil
        let key: JSONWebKey
        switch (type, isPrivate) {
        case ("oct", _):
            guard let named else {
                throw TokenError(.missingAlgorithm, "a secret without alg: name an algorithm")
            }
            key = try JSONWebKey(members.secret("k"), algorithm: named, keyID: keyID)
        case (_, false): key = try JSONWebKey(members.publicKey(type), algorithm: named, keyID: keyID)
        case (_, true): key = try JSONWebKey(members.privateKey(type), algorithm: named, keyID: keyID)
        }
        self = key.limited(to: operations)
        guard !self.operations.isEmpty else {
            throw TokenError(.wrongKeyUse, "key_ops does not allow what such a key can do")
        }
    }

    private static func algorithm(
        _ members: KeyText,
        chosen: TokenAlgorithm?
    ) throws(TokenError) -> TokenAlgorithm? {
        guard let name = try members.textIfPresent("alg") else { return chosen }
        guard let algorithm = TokenAlgorithm(name: name) else {
            throw TokenError(.unsupportedAlgorithm, "the key's alg is not an algorithm for tokens")
        }
        guard chosen == nil || chosen == algorithm else {
            throw TokenError(.algorithmMismatch, "the key's alg is not the algorithm asked for")
        }
        return algorithm
    }

    /// What `use` and `key_ops` leave of signing and verifying.
    private static func operations(_ members: KeyText) throws(TokenError) -> Operations {
        if let use = try members.textIfPresent("use"), use != "sig" {
            throw TokenError(.wrongKeyUse, "the key's use is not sig")
        }
        guard let names = try members.textsIfPresent("key_ops") else { return [.sign, .verify] }
        guard Set(names).count == names.count else {
            throw TokenError(.invalidKey, "key_ops holds one operation twice")
        }
        var operations: Operations = []
        if names.contains("sign") { operations.insert(.sign) }
        if names.contains("verify") { operations.insert(.verify) }
        guard !operations.isEmpty else {
            throw TokenError(.wrongKeyUse, "key_ops has neither sign nor verify")
        }
        return operations
    }
}

import Cryptography

/// Checks the signature of a compact JWS (RFC 7515) over octets of any kind.
///
/// The key decides on the algorithm. The token's header only has to agree.
public struct PayloadVerifier: Sendable {
    /// The keys that signatures are checked with.
    public let keys: JSONWebKeySet
    /// The most octets that are read.
    public var maximumSize = UnverifiedToken.defaultMaximumSize
    private let memory = HeaderMemory()

    /// Checks with a set of keys; a token's `kid` says which one.
    ///
    /// - Throws: ``TokenError`` with code `wrongKeyUse` when a key's `key_ops` has no `verify`.
    public init(keys: JSONWebKeySet) throws(TokenError) {
        guard keys.keys.allSatisfy({ $0.operations.contains(.verify) }) else {
            throw TokenError(.wrongKeyUse, "a key is not for verifying")
        }
        self.keys = keys
    }

    /// Checks with one key; if it has no `kid`, a token may have any.
    ///
    /// - Throws: ``TokenError`` with code `wrongKeyUse` when the key's `key_ops` has no `verify`.
    public init(key: JSONWebKey) throws(TokenError) {
        try self.init(keys: JSONWebKeySet([key]))
    }

    /// Checks a text and gives its payload.
    ///
    /// - Throws: ``TokenError`` with code `tooLarge`, `malformed`, `invalidEncoding`, `duplicateMember`, `invalidHeader`,
    ///   `unsupportedCriticalHeader`, `unsupportedAlgorithm`, `unknownKey`, `ambiguousKey`, `algorithmMismatch`,
    ///   `invalidSignature` or `cryptographyFailure`.
    public func verify(_ text: String) throws(TokenError) -> VerifiedPayload {
        let compact = try verifiedSerialization(text)
        return VerifiedPayload(header: compact.header, payload: try compact.payload())
    }

    func verifiedSerialization(_ text: String) throws(TokenError) -> CompactSerialization {
        let compact = try CompactSerialization(text, maximumSize: maximumSize, memory: memory)
        let key = try key(for: compact.header)
        try check(compact.header.algorithm, against: key.algorithm)
        let signature = try compact.signature()
        guard try isValid(signature, compact, key) else {
            throw TokenError(.invalidSignature, "the signature is wrong", at: compact.signatureStart)
        }
        memory.keep(compact.header, encoded: compact.encodedHeader)
        return compact
    }

    /// Refuses a header whose `alg` is not the algorithm of the key.
    private func check(_ name: String, against expected: TokenAlgorithm) throws(TokenError) {
        // The usual case first; the other names are looked at only to say what is wrong.
        guard !name.hasSameCharacters(as: expected.rawValue) else { return }
        guard let algorithm = TokenAlgorithm(name: name) else {
            throw TokenError(.unsupportedAlgorithm, "the header's alg is not supported")
        }
        guard algorithm == expected else {
            throw TokenError(.algorithmMismatch, "the header's alg is not the algorithm of the key")
        }
    }

    private func key(for header: TokenHeader) throws(TokenError) -> JSONWebKey {
        let only = keys.keys.count == 1 ? keys.keys.first : nil
        guard let name = header.keyID else {
            if let only { return only }
            guard keys.keys.isEmpty else {
                throw TokenError(.ambiguousKey, "the header names no key and there is more than one")
            }
            throw TokenError(.unknownKey, "there is no key")
        }
        if let only, only.keyID == nil { return only }
        guard let key = keys[name] else { throw TokenError(.unknownKey, "no key has the header's kid") }
        return key
    }

    private func isValid(
        _ signature: [UInt8],
        _ compact: CompactSerialization,
        _ key: JSONWebKey
    ) throws(TokenError) -> Bool {
        let signed = compact.octets.span.extracting(compact.signedRange)
        do throws(CryptographyError) {
            switch key.material {
            case .secret(_, let mac):
                return try mac.isValid(signature.span, for: signed)
            case .publicKey(let key, let algorithm):
                return try key.isValidSignature(signature.span, for: signed, using: algorithm)
            case .privateKey(let key, let algorithm):
                return try key.publicKey.isValidSignature(
                    signature.span,
                    for: signed,
                    using: algorithm
                )
            }
        } catch {
            throw TokenError(.cryptographyFailure, "the signature cannot be checked", underlying: error)
        }
    }
}

public import StructuredFields

/// The parameters of a signature, in order (RFC 9421, section 2.3).
///
/// Parameters that the standard does not define stay in their place and are covered like the others.
public struct SignatureParameters: Sendable, Hashable {
    /// All parameters, in the order in which they are covered.
    public let all: Parameters

    /// Takes parameters and checks the types of those that the standard defines.
    ///
    /// - Throws: ``SignatureError`` with code `parameterWrongType`.
    public init(_ parameters: Parameters) throws(SignatureError) {
        for (name, value) in parameters {
            let isRight: Bool
            switch name {
            case "created", "expires": isRight = value.integer != nil
            case "nonce", "alg", "keyid", "tag": isRight = value.string != nil
            default: isRight = true
            }
            guard isRight else {
                throw SignatureError(
                    .parameterWrongType,
                    "created and expires are integers; nonce, alg, keyid and tag are strings"
                )
            }
        }
        all = parameters
    }

    /// Takes parameters as pairs, in the order in which they are to be covered.
    ///
    /// - Throws: ``SignatureError`` with code `duplicateParameter` for a name that stands twice, or `parameterWrongType`.
    public init(_ pairs: [(String, BareItem)]) throws(SignatureError) {
        var parameters: Parameters = [:]
        for (name, value) in pairs {
            guard parameters[name] == nil else {
                throw SignatureError(.duplicateParameter, "a parameter stands twice")
            }
            parameters[name] = value
        }
        try self.init(parameters)
    }

    /// When the signature was made, in seconds since 1970.
    public var created: Int64? { all["created"]?.integer }
    /// When the signature ends, in seconds since 1970.
    public var expires: Int64? { all["expires"]?.integer }
    /// A value that is used once.
    public var nonce: String? { all["nonce"]?.string }
    /// The name of the algorithm, which is only ever compared with that of the key.
    public var algorithmName: String? { all["alg"]?.string }
    /// The name of the key.
    public var keyIdentifier: String? { all["keyid"]?.string }
    /// What the signature is for.
    public var tag: String? { all["tag"]?.string }

    /// Checks what holds for every signature: the algorithm is the key's, and the end is not before the start.
    func check(for algorithm: MessageSignatureAlgorithm) throws(SignatureError) {
        if let algorithmName {
            guard let stated = MessageSignatureAlgorithm(rawValue: algorithmName) else {
                throw SignatureError(.unknownAlgorithm, "alg names no registered algorithm")
            }
            guard stated == algorithm else {
                throw SignatureError(.algorithmMismatch, "alg is not the algorithm of the key")
            }
        }
        try checkTimes()
    }

    /// Checks that the end is not before the start.
    func checkTimes() throws(SignatureError) { try Self.checkTimes(created: created, expires: expires) }

    static func checkTimes(created: Int64?, expires: Int64?) throws(SignatureError) {
        if let created, let expires, expires < created {
            throw SignatureError(.expiresBeforeCreated, "the signature expires before it is created")
        }
    }
}

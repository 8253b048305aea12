internal import StructuredFields

extension MessageSigner {
    /// The signer that makes the signature a peer asked for in `Accept-Signature` (RFC 9421, section 5.2).
    ///
    /// Label, components, nonce and tag are those of the wish. Its parameters come first and in its order, those that the
    /// standard does not define as they are. Whether to cover what a peer asks for is for the caller to judge before.
    ///
    /// - Parameter request: The wish.
    /// - Returns: A signer with this one's key and settings.
    /// - Throws: ``SignatureError`` with code `unknownAlgorithm` or `algorithmMismatch` for another algorithm than that of
    ///   the key, `unknownKey` for another key than ``keyIdentifier``, `requiredParameterMissing` when `expires` is wanted
    ///   and there is no ``lifetime``.
    public func answering(_ request: SignatureRequest) throws(SignatureError) -> MessageSigner {
        if let name = request.algorithmName {
            guard let algorithm = MessageSignatureAlgorithm(rawValue: name) else {
                throw SignatureError(.unknownAlgorithm, "the wish names no registered algorithm")
            }
            guard algorithm == key.algorithm else {
                throw SignatureError(.algorithmMismatch, "the wish is for another algorithm than the key's")
            }
        }
        if let wanted = request.keyIdentifier, wanted != keyIdentifier {
            throw SignatureError(.unknownKey, "the wish is for another key")
        }
        if request.wantsExpires, lifetime == nil {
            throw SignatureError(.requiredParameterMissing, "the wish is for expires, and no lifetime is set")
        }
        var signer = self
        signer.label = request.label
        signer.components = request.components
        if request.wantsCreated { signer.statesCreated = true }
        if request.algorithmName != nil { signer.statesAlgorithm = true }
        if let nonce = request.nonce { signer.makeNonce = { nonce } }
        if let tag = request.tag { signer.tag = tag }
        signer.wished = request.parameters
        return signer
    }

    /// The parameters that are stated, in the order of the wish, among those that only the wish has.
    func wishedParameters(created: Int64?, expires: Int64?, nonce: String?) -> Parameters {
        var stated: Parameters = [:]
        stated["created"] = created.map(BareItem.integer)
        stated["expires"] = expires.map(BareItem.integer)
        stated["nonce"] = nonce.map(BareItem.string)
        stated["alg"] = statesAlgorithm ? .string(key.algorithm.rawValue) : nil
        stated["keyid"] = keyIdentifier.map(BareItem.string)
        stated["tag"] = tag.map(BareItem.string)
        var all: Parameters = [:]
        for (name, value) in wished {
            let isStandard = ["created", "expires", "nonce", "alg", "keyid", "tag"].contains(name)
            all[name] = isStandard ? stated[name] : value
        }
        for (name, value) in stated { all[name] = value }
        return all
    }
}

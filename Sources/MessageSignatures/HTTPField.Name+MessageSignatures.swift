public import HTTPMessages

/// The fields of RFC 9421 and RFC 9530.
extension HTTPField.Name {
    /// What signatures cover, and their parameters.
    public static let signatureInput: HTTPField.Name = "Signature-Input"
    /// The octets of signatures.
    public static let signature: HTTPField.Name = "Signature"
    /// The signatures that a peer asks for.
    public static let acceptSignature: HTTPField.Name = "Accept-Signature"
    /// Digests of the content as it is sent.
    public static let contentDigest: HTTPField.Name = "Content-Digest"
    /// Digests of the whole representation.
    public static let reprDigest: HTTPField.Name = "Repr-Digest"
    /// The content digests that a peer prefers.
    public static let wantContentDigest: HTTPField.Name = "Want-Content-Digest"
    /// The representation digests that a peer prefers.
    public static let wantReprDigest: HTTPField.Name = "Want-Repr-Digest"
}

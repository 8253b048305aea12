public import HTTPMessages
internal import Encodings

/// A signature as it goes into a message.
public struct MessageSignature: Sendable {
    /// The label that ties the two fields together.
    public let label: String
    /// What was signed.
    public let base: SignatureBase
    /// The octets of the signature.
    public let signature: [UInt8]

    /// The member for `Signature-Input`, with its label.
    public var signatureInputMember: String { "\(label)=\(base.signatureParameters)" }

    /// The member for `Signature`, with its label.
    public var signatureMember: String { "\(label)=:\(Base64.standard.encode(signature)):" }

    /// Adds the signature to fields; what they hold already stays as it is, in front of it.
    ///
    /// - Throws: `HTTPMessageError` when a field cannot hold the member; nothing has changed then.
    public func add(to fields: inout HTTPFields) throws(HTTPMessageError) {
        var changed = fields
        for (name, member) in [
            (HTTPField.Name.signatureInput, signatureInputMember), (.signature, signatureMember),
        ] {
            let before = changed[name].map { $0.isEmpty ? "" : $0 + ", " } ?? ""
            try changed.set(before + member, for: name)
        }
        fields = changed
    }
}

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
    public var signatureInputMember: String {
        var octets = Array(label.utf8)
        octets.append(UInt8(ascii: "="))
        octets += base.parameterOctets
        return String(decoding: octets, as: UTF8.self)
    }

    /// The member for `Signature`, with its label.
    public var signatureMember: String { label + "=:" + Base64.standard.encode(signature) + ":" }

    /// Adds the signature to fields; what they hold already stays as it is, in front of it.
    ///
    /// - Throws: `HTTPMessageError` when a field cannot hold the member; nothing has changed then.
    public func add(to fields: inout HTTPFields) throws(HTTPMessageError) {
        let input = try Self.field(.signatureInput, adding: signatureInputMember, to: fields)
        let signature = try Self.field(.signature, adding: signatureMember, to: fields)
        fields.set(input)
        fields.set(signature)
    }

    private static func field(
        _ name: HTTPField.Name,
        adding member: String,
        to fields: HTTPFields
    ) throws(HTTPMessageError) -> HTTPField {
        guard let before = fields[name], !before.isEmpty else { return try HTTPField(name, member) }
        return try HTTPField(name, before + ", " + member)
    }
}

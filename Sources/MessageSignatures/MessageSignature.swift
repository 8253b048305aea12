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
    public var signatureInputMember: String { String(decoding: member(.input), as: UTF8.self) }

    /// The member for `Signature`, with its label.
    public var signatureMember: String { String(decoding: member(.signature), as: UTF8.self) }

    private enum Part { case input, signature }

    private func member(_ part: Part, after octets: [UInt8] = []) -> [UInt8] {
        var octets = octets
        octets.reserveCapacity(
            octets.count + label.utf8.count + base.parameterOctets.count + 2 * signature.count
        )
        octets += label.utf8
        octets.append(UInt8(ascii: "="))
        switch part {
        case .input: octets += base.parameterOctets
        case .signature:
            octets.append(UInt8(ascii: ":"))
            Base64.standard.append(signature.span, to: &octets)
            octets.append(UInt8(ascii: ":"))
        }
        return octets
    }

    /// Adds the signature to fields; what they hold already stays as it is, in front of it.
    ///
    /// - Throws: `HTTPMessageError` when a field cannot hold the member; nothing has changed then.
    public func add(to fields: inout HTTPFields) throws(HTTPMessageError) {
        let input = try field(.signatureInput, .input, fields)
        let signature = try field(.signature, .signature, fields)
        fields.set(input)
        fields.set(signature)
    }

    private func field(
        _ name: HTTPField.Name,
        _ part: Part,
        _ fields: HTTPFields
    ) throws(HTTPMessageError) -> HTTPField {
        guard let before = fields[name], !before.isEmpty else {
            return try HTTPField(name, bytes: member(part))
        }
        return try HTTPField(name, bytes: member(part, after: Array((before + ", ").utf8)))
    }
}

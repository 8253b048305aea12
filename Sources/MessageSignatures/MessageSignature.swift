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
    public var signatureInputMember: String { member(.input) }

    /// The member for `Signature`, with its label.
    public var signatureMember: String { member(.signature) }

    private enum Part { case input, signature }

    private func member(_ part: Part) -> String {
        let length =
            switch part {
            case .input: base.parameterOctets.count
            case .signature: Base64.standard.encodedLength(of: signature.count) + 2
            }
        return OctetWriter.text(capacity: label.utf8.count + 1 + length) { output in
            output.append(label)
            output.append(UInt8(ascii: "="))
            switch part {
            case .input: output.append(base.parameterOctets.span)
            case .signature:
                output.append(UInt8(ascii: ":"))
                Base64.standard.append(signature.span, to: &output)
                output.append(UInt8(ascii: ":"))
            }
        }
    }

    /// Adds the signature to fields; what they hold already stays as it is, in front of it.
    ///
    /// - Throws: `HTTPMessageError` when a field cannot hold the member; nothing has changed then.
    public func add(to fields: inout HTTPFields) throws(HTTPMessageError) {
        let (inputs, signatures) = (fields[.signatureInput], fields[.signature])
        let input = try HTTPField(.signatureInput, member(.input, after: inputs))
        let signature = try HTTPField(.signature, member(.signature, after: signatures))
        // Without a search where there is none to replace.
        if inputs == nil { fields.append(input) } else { fields.set(input) }
        if signatures == nil { fields.append(signature) } else { fields.set(signature) }
    }

    private func member(_ part: Part, after before: String?) -> String {
        guard let before, !before.isEmpty else { return member(part) }
        return "\(before), \(member(part))"
    }
}

extension MessageSignature: CustomStringConvertible, CustomReflectable {
    /// The label and what is covered, without a value.
    public var description: String { "\(label): \(base)" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

import MessageSignatures
import StructuredFields

/// What `Signature-Input` of a message says of one signature, not verified; `Signature` itself need not be there.
struct CarriedSignature: Sendable {
    let label: String
    let components: [ComponentIdentifier]
    let parameters: SignatureParameters

    /// Finds the signature of a label, or the only one.
    init(of message: SignableMessage, label: String?) throws {
        let lines = message.values("signature-input", inTrailers: false)
        guard !lines.isEmpty else {
            throw SignatureError(
                .unsignedMessage,
                "the message has no Signature-Input: --components says what to cover"
            )
        }
        let dictionary: FieldDictionary
        do {
            let parser = StructuredFieldParser(duplicateKeys: .reject)
            dictionary = try FieldDictionary(parsing: lines.joined(with: ", "), with: parser)
        } catch { throw Self.malformed }
        let labels = dictionary.map(\.key)
        guard let label = label ?? (labels.count == 1 ? labels[0] : nil) else {
            throw SignatureError(.ambiguousLabel, "the message carries several signatures: --label names one")
        }
        guard let member = dictionary[label] else {
            throw SignatureError(.labelNotFound, "the message has no signature of the label '\(label)'")
        }
        guard let list = member.innerList else { throw Self.malformed }
        self.label = label
        components = try list.items.map { item in
            guard let name = item.bareItem.string else { throw Self.malformed }
            return try ComponentIdentifier(name, parameters: item.parameters)
        }
        parameters = try SignatureParameters(list.parameters)
    }

    private static var malformed: SignatureError {
        SignatureError(.malformedSignatureInput, "Signature-Input is not a dictionary of lists of components")
    }
}

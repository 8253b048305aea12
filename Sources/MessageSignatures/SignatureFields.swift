internal import Encodings
internal import StructuredFields

/// The two fields of signatures, parsed: the labels are unique and the same in both (RFC 9421, section 4).
struct SignatureFields {
    let inputs: FieldDictionary
    let signatures: FieldDictionary

    /// Reads both fields of a message from its header or from its trailers; nil when it carries neither there.
    init?(
        _ message: SignableMessage,
        inTrailers: Bool,
        limits: SignatureLimits
    ) throws(SignatureError) {
        guard message.section(inTrailers: inTrailers).holdsSignatures else { return nil }
        let inputLines = message.values("signature-input", inTrailers: inTrailers)
        let signatureLines = message.values("signature", inTrailers: inTrailers)
        guard !inputLines.isEmpty else {
            throw SignatureError(.signatureInputMissing, "a Signature comes without its Signature-Input")
        }
        guard !signatureLines.isEmpty else {
            throw SignatureError(.signatureMissing, "a Signature-Input comes without its Signature")
        }
        inputs = try Self.parse(inputLines, limits, .malformedSignatureInput)
        signatures = try Self.parse(signatureLines, limits, .malformedSignature)
        guard inputs.count <= limits.labels else {
            throw SignatureError(.limitExceeded, "the message carries too many signatures")
        }
        guard inputs.count == signatures.count, inputs.allSatisfy({ signatures[$0.key] != nil }) else {
            throw SignatureError(.labelMismatch, "Signature and Signature-Input hold different labels")
        }
    }

    /// The list of components and the signature under a label.
    func entry(
        _ label: String,
        acceptingStrings: Bool
    ) throws(SignatureError) -> (input: InnerList, signature: [UInt8]) {
        guard let input = inputs[label], let signature = signatures[label] else {
            throw SignatureError(.labelNotFound, "the message has no signature of the label '\(label)'")
        }
        guard let list = input.innerList else {
            throw SignatureError(.malformedSignatureInput, "the member of Signature-Input is not a list")
        }
        let value = signature.item?.bareItem
        let text = acceptingStrings ? value?.string : nil
        guard let octets = value?.bytes ?? text.flatMap({ try? Base64.standard.decode($0) }) else {
            throw SignatureError(.malformedSignature, "the member of Signature is not a byte sequence")
        }
        return (list, octets)
    }

    private static func parse(
        _ lines: [[UInt8]],
        _ limits: SignatureLimits,
        _ code: SignatureError.Code
    ) throws(SignatureError) -> FieldDictionary {
        let octets = lines.joined(with: ", ")
        do throws(StructuredFieldError) {
            return try limits.parser(.reject).parseDictionary(octets)
        } catch {
            throw SignatureError(
                self.code(of: error, in: octets) ?? code,
                "a field of the signature cannot be parsed",
                underlying: error
            )
        }
    }

    /// The code where the fault is not in the grammar: too much of it, or a key that stands twice.
    private static func code(of error: StructuredFieldError, in octets: [UInt8]) -> SignatureError.Code? {
        if error.isLimit { return .limitExceeded }
        guard error.code == .duplicateKey, let offset = error.offset else { return nil }
        let before = octets[..<offset].last { $0 != UInt8(ascii: " ") }
        return before == UInt8(ascii: ";") ? .duplicateParameter : .labelNotUnique
    }
}

extension InnerList {
    /// The list as component identifiers.
    func componentIdentifiers(
        _ code: SignatureError.Code,
        limits: SignatureLimits
    ) throws(SignatureError) -> [ComponentIdentifier] {
        guard items.count <= limits.components else {
            throw SignatureError(.limitExceeded, "the signature covers too many components")
        }
        var identifiers: [ComponentIdentifier] = []
        for item in items {
            guard let name = item.bareItem.string else {
                throw SignatureError(code, "a component identifier is a string")
            }
            identifiers.append(try ComponentIdentifier(name, parameters: item.parameters))
        }
        return identifiers
    }
}

internal import StructuredFields

/// The octets that are signed (RFC 9421, section 2.5).
public struct SignatureBase: Sendable {
    /// The covered components with their values, in order.
    public let components: [CoveredComponent]
    /// The base: a line for each component and one for the parameters, with LF between them.
    public let octets: [UInt8]
    /// The value of `@signature-params`, which is also the member of `Signature-Input`.
    public let signatureParameters: String

    /// Builds the base.
    ///
    /// - Parameters:
    ///   - identifiers: What is covered, in order.
    ///   - parameters: The parameters of the signature.
    ///   - message: The message.
    ///   - types: The structured fields that are known.
    ///   - limits: How much is taken.
    /// - Throws: ``SignatureError`` with the component that has no value, stands twice or does not go with the message;
    ///   `unserializableParameter` for a parameter that has no form; `limitExceeded`.
    public init(
        covering identifiers: [ComponentIdentifier],
        parameters: SignatureParameters,
        of message: SignableMessage,
        types: FieldTypes = .standard,
        limits: SignatureLimits = SignatureLimits()
    ) throws(SignatureError) {
        guard identifiers.count <= limits.components else {
            throw SignatureError(.limitExceeded, "the signature covers too many components")
        }
        var reader = ComponentReader(message, types: types, limits: limits)
        var seen: Set<ComponentIdentifier> = []
        var components: [CoveredComponent] = []
        var octets: [UInt8] = []
        for identifier in identifiers {
            guard seen.insert(identifier).inserted else {
                throw identifier.fault(.duplicateComponent, "the component stands twice")
            }
            let value = try reader.value(of: identifier)
            try Self.check(value, of: identifier)
            octets += identifier.serialized.utf8
            octets += ": ".utf8
            octets += value
            octets.append(0x0A)
            guard octets.count <= limits.baseLength else { throw Self.tooLong }
            components.append(
                CoveredComponent(identifier: identifier, value: String(decoding: value, as: UTF8.self))
            )
        }
        let items = identifiers.map { Item(.string($0.name), parameters: $0.parameters) }
        do throws(StructuredFieldError) {
            signatureParameters = try InnerList(items, parameters: parameters.all).serialized()
        } catch {
            throw SignatureError(
                .unserializableParameter,
                "a parameter of the signature has no form",
                underlying: error
            )
        }
        octets += "\"@signature-params\": ".utf8
        octets += signatureParameters.utf8
        guard octets.count <= limits.baseLength else { throw Self.tooLong }
        self.components = components
        self.octets = octets
    }

    private static var tooLong: SignatureError {
        SignatureError(.limitExceeded, "the signature base is too long")
    }

    private static func check(
        _ value: [UInt8],
        of component: ComponentIdentifier
    ) throws(SignatureError) {
        for octet in value {
            if octet >= 0x80 {
                throw component.fault(.nonASCIIInBase, "the value holds octets outside of ASCII")
            }
            if octet < 0x20 && octet != 0x09 || octet == 0x7F {
                throw component.fault(.newlineOrControlInValue, "the value holds a control character")
            }
        }
    }
}

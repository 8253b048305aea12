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
        if let double = identifiers.firstDuplicate {
            throw double.fault(.duplicateComponent, "the component stands twice")
        }
        var reader = ComponentReader(message, types: types, limits: limits)
        var components: [CoveredComponent] = []
        components.reserveCapacity(identifiers.count)
        var octets: [UInt8] = []
        octets.reserveCapacity(512)
        for identifier in identifiers {
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
        do throws(StructuredFieldError) {
            // The inner list of the identifiers, each of which has its form already.
            let list = identifiers.map(\.serialized).joined(separator: " ")
            signatureParameters = try "(\(list))\(parameters.all.serialized())"
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

extension [ComponentIdentifier] {
    /// The first identifier that stood before.
    fileprivate var firstDuplicate: ComponentIdentifier? {
        // For few, a walk along them is quicker than a hash.
        guard count > 16 else {
            return indices.first { self[..<$0].contains(self[$0]) }.map { self[$0] }
        }
        var seen: Set<ComponentIdentifier> = []
        return first { !seen.insert($0).inserted }
    }
}

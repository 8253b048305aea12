internal import StructuredFields

/// The octets that are signed (RFC 9421, section 2.5).
public struct SignatureBase: Sendable {
    /// The base: a line for each component and one for the parameters, with LF between them.
    public let octets: [UInt8]
    private let identifiers: [ComponentIdentifier]
    /// Where the parameters begin in ``octets``.
    private let parametersStart: Int

    /// The covered components with their values, in order.
    public var components: [CoveredComponent] {
        // A value holds no line break.
        let lines = octets.split(separator: 0x0A, omittingEmptySubsequences: false)
        return zip(identifiers, lines).map { identifier, line in
            let value = line.dropFirst(identifier.linePrefix.count)
            return CoveredComponent(identifier: identifier, value: String(decoding: value, as: UTF8.self))
        }
    }

    /// The value of `@signature-params`, which is also the member of `Signature-Input`.
    public var signatureParameters: String { String(decoding: parameterOctets, as: UTF8.self) }

    var parameterOctets: ArraySlice<UInt8> { octets[parametersStart...] }

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
        var reader = ComponentReader(types: types, limits: limits)
        var octets: [UInt8] = []
        octets.reserveCapacity(1024)
        for identifier in identifiers {
            octets += identifier.linePrefix
            let start = octets.count
            try reader.append(identifier, of: message, to: &octets)
            try Self.check(octets, from: start, of: identifier)
            octets.append(0x0A)
            guard octets.count <= limits.baseLength else { throw Self.tooLong }
        }
        octets += Self.parametersPrefix
        parametersStart = octets.count
        // The inner list of the identifiers, each of which has its form already.
        octets.append(UInt8(ascii: "("))
        for (place, identifier) in identifiers.enumerated() {
            if place > 0 { octets.append(UInt8(ascii: " ")) }
            octets += identifier.linePrefix[..<(identifier.linePrefix.count - 2)]
        }
        octets.append(UInt8(ascii: ")"))
        do throws(StructuredFieldError) {
            try parameters.all.append(to: &octets)
        } catch {
            throw SignatureError(
                .unserializableParameter,
                "a parameter of the signature has no form",
                underlying: error
            )
        }
        guard octets.count <= limits.baseLength else { throw Self.tooLong }
        self.identifiers = identifiers
        self.octets = octets
    }

    private static let parametersPrefix = Array("\"@signature-params\": ".utf8)

    private static var tooLong: SignatureError {
        SignatureError(.limitExceeded, "the signature base is too long")
    }

    private static func check(
        _ octets: [UInt8],
        from start: Int,
        of component: ComponentIdentifier
    ) throws(SignatureError) {
        let span = octets.span
        // A loop without branches takes many octets at a time; which one is wrong is asked only when one is.
        var faults: UInt8 = 0
        for place in start..<span.count {
            faults |= (span[place] < 0x20 ? 1 : 0) | (span[place] >= 0x7F ? 1 : 0)
        }
        guard faults != 0 else { return }
        let value = octets[start...]
        if value.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
            throw component.fault(.newlineOrControlInValue, "the value holds a control character")
        }
        if value.contains(where: { $0 >= 0x80 }) {
            throw component.fault(.nonASCIIInBase, "the value holds octets outside of ASCII")
        }
    }
}

extension [ComponentIdentifier] {
    /// The first identifier that stood before.
    fileprivate var firstDuplicate: ComponentIdentifier? {
        // For few, a walk along them is quicker than a hash.
        guard count > 16 else {
            for place in indices {
                for before in 0..<place where self[before] == self[place] { return self[place] }
            }
            return nil
        }
        var seen: Set<ComponentIdentifier> = []
        return first { !seen.insert($0).inserted }
    }
}

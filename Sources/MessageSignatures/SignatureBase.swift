internal import Encodings
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
            let value = line.dropFirst(identifier.serialized.utf8.count + 2)
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
        try self.init(
            covering: ComponentList(identifiers),
            of: message,
            types: types,
            limits: limits,
            writeParameters: parameters.all.append(to:)
        )
    }

    init(
        covering list: ComponentList,
        of message: SignableMessage,
        types: FieldTypes,
        limits: SignatureLimits,
        writeParameters: (inout OctetWriter) throws(StructuredFieldError) -> Void
    ) throws(SignatureError) {
        identifiers = list.identifiers
        guard identifiers.count <= limits.components else {
            throw SignatureError(.limitExceeded, "the signature covers too many components")
        }
        if let double = list.duplicate {
            throw double.fault(.duplicateComponent, "the component stands twice")
        }
        var reader = ComponentReader(types: types, limits: limits)
        var parametersStart = 0
        octets = try OctetWriter.array { octets throws(SignatureError) in
            for (place, identifier) in list.identifiers.enumerated() {
                list.appendPrefix(of: place, to: &octets)
                let start = octets.count
                try reader.append(identifier, of: message, to: &octets)
                if !octets.isPrintable(from: start) {
                    try octets.withOctets(from: start) { value throws(SignatureError) in
                        try Self.check(value, of: identifier)
                    }
                }
                octets.append(UInt8(ascii: "\n"))
                guard octets.count <= limits.baseLength else { throw Self.tooLong }
            }
            octets.append(Self.parametersPrefix)
            parametersStart = octets.count
            octets.append(list.serialized)
            do throws(StructuredFieldError) {
                try writeParameters(&octets)
            } catch {
                throw SignatureError(
                    .unserializableParameter,
                    "a parameter of the signature has no form",
                    underlying: error
                )
            }
            guard octets.count <= limits.baseLength else { throw Self.tooLong }
        }
        self.parametersStart = parametersStart
    }

    private static let parametersPrefix = Array("\"@signature-params\": ".utf8)

    private static var tooLong: SignatureError {
        SignatureError(.limitExceeded, "the signature base is too long")
    }

    private static func check(
        _ value: Span<UInt8>,
        of component: ComponentIdentifier
    ) throws(SignatureError) {
        for place in value.indices
        where value[place] < 0x20 && value[place] != 0x09 || value[place] == 0x7F {
            throw component.fault(.newlineOrControlInValue, "the value holds a control character")
        }
        for place in value.indices where value[place] >= 0x80 {
            throw component.fault(.nonASCIIInBase, "the value holds octets outside of ASCII")
        }
    }
}

extension SignatureBase: CustomStringConvertible, CustomReflectable {
    /// What is covered and the length of the base, whose values may be secrets and are not shown.
    public var description: String { "\(identifiers): <\(octets.count) octets>" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

internal import Encodings
internal import HTTPMessages
internal import StructuredFields

/// Finds the values of components in one message (RFC 9421, section 2.5).
struct ComponentReader {
    private let types: FieldTypes
    private let limits: SignatureLimits
    // Each is made when it is first asked for.
    private var header: FieldIndex?
    private var trailers: FieldIndex?
    private var requestHeader: FieldIndex?
    private var requestTrailers: FieldIndex?
    private var form: FormQuery?

    init(types: FieldTypes, limits: SignatureLimits) {
        self.types = types
        self.limits = limits
    }

    /// Puts the value of a component at the end of some octets.
    ///
    /// - Parameters:
    ///   - component: The component.
    ///   - message: The message, the same in every call.
    ///   - octets: Where the value goes.
    /// - Throws: ``SignatureError`` with the component that has no value.
    mutating func append(
        _ component: ComponentIdentifier,
        of message: SignableMessage,
        to octets: inout OctetWriter
    ) throws(SignatureError) {
        if component.isOfRequest {
            try append(component, from: try Self.request(of: message, for: component), to: &octets)
        } else {
            try append(component, from: message, to: &octets)
        }
    }

    private mutating func append(
        _ component: ComponentIdentifier,
        from source: SignableMessage,
        to octets: inout OctetWriter
    ) throws(SignatureError) {
        if let derivation = component.derivation {
            return try append(derivation, component, of: source, to: &octets)
        }
        let (isOfRequest, isInTrailers) = (component.isOfRequest, component.isInTrailers)
        let section = source.section(inTrailers: isInTrailers)
        guard FieldIndex.isNeeded(for: component, in: section, source.version) else {
            guard section.append(component.name, source.version, to: &octets) else {
                throw FieldIndex.missing(component)
            }
            return
        }
        // Taken out while it is changed, so that what it remembers is not copied.
        var index =
            switch (isOfRequest, isInTrailers) {
            case (false, false): header.take()
            case (false, true): trailers.take()
            case (true, false): requestHeader.take()
            case (true, true): requestTrailers.take()
            }
        if index == nil {
            index = FieldIndex(section.lines, version: source.version)
        }
        defer {
            switch (isOfRequest, isInTrailers) {
            case (false, false): header = index
            case (false, true): trailers = index
            case (true, false): requestHeader = index
            case (true, true): requestTrailers = index
            }
        }
        if let value = try index?.value(of: component, types: types, limits: limits) {
            octets.append(value)
        }
    }

    /// The request that a component is taken from.
    private static func request(
        of message: SignableMessage,
        for component: ComponentIdentifier
    ) throws(SignatureError) -> SignableMessage {
        guard !message.isRequest else {
            throw component.fault(.reqInRequest, "req has no place in the signature of a request")
        }
        guard let request = message.relatedRequest, request.isRequest else {
            throw component.fault(.relatedRequestMissing, "the request is not at hand")
        }
        return request
    }

    private mutating func append(
        _ derivation: ComponentIdentifier.Derivation,
        _ component: ComponentIdentifier,
        of source: SignableMessage,
        to octets: inout OctetWriter
    ) throws(SignatureError) {
        guard case .request(let line) = source.kind else {
            guard case .response(let status, _) = source.kind, derivation == .status else {
                throw component.fault(.requestComponentInResponse, "a response has no such component")
            }
            octets.append(String(status.code))
            return
        }
        switch derivation {
        case .method: octets.append(line.method.rawValue)
        case .targetURI: append(line.target, to: &octets)
        case .authority: octets.append(line.target.authority)
        case .scheme: octets.append(line.target.scheme)
        case .requestTarget: octets.append(line.requestTarget ?? line.target.originForm)
        case .path: octets.append(line.target.path)
        case .query:
            octets.append(UInt8(ascii: "?"))
            if let query = line.target.query { octets.append(query) }
        case .queryParameter: octets.append(try queryParameter(component, line.target))
        case .status: throw component.fault(.statusInRequest, "a request has no status")
        }
    }

    /// In pieces: most requests are signed once, and the whole is needed for nothing else.
    private func append(_ target: SignableTarget, to octets: inout OctetWriter) {
        if let origin = target.writtenOrigin {
            octets.append(origin)
        } else {
            octets.append(target.scheme)
            octets.append("://")
            octets.append(target.authority)
        }
        octets.append(target.path)
        guard let query = target.query else { return }
        octets.append(UInt8(ascii: "?"))
        octets.append(query)
    }

    private mutating func queryParameter(
        _ component: ComponentIdentifier,
        _ target: SignableTarget
    ) throws(SignatureError) -> String {
        let form = self.form ?? FormQuery(target.query)
        self.form = form
        let values = form[component.parameters["name"]?.string ?? ""]
        guard let value = values.first else {
            throw component.fault(.queryParamMissing, "the query has no such parameter")
        }
        guard values.count == 1 else {
            throw component.fault(.queryParamRepeated, "the query has the parameter more than once")
        }
        return value
    }
}

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
        to octets: inout [UInt8]
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
        to octets: inout [UInt8]
    ) throws(SignatureError) {
        if let derivation = component.derivation {
            return try append(derivation, component, of: source, to: &octets)
        }
        let (isOfRequest, isInTrailers) = (component.isOfRequest, component.isInTrailers)
        // Taken out while it is changed, so that what it remembers is not copied.
        var index =
            switch (isOfRequest, isInTrailers) {
            case (false, false): header.take()
            case (false, true): trailers.take()
            case (true, false): requestHeader.take()
            case (true, true): requestTrailers.take()
            }
        if index == nil {
            index = FieldIndex(
                isInTrailers ? source.trailers : source.fields,
                version: source.version,
                isTrailers: isInTrailers
            )
        }
        defer {
            switch (isOfRequest, isInTrailers) {
            case (false, false): header = index
            case (false, true): trailers = index
            case (true, false): requestHeader = index
            case (true, true): requestTrailers = index
            }
        }
        try index?.append(component, to: &octets, types: types, limits: limits)
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
        to octets: inout [UInt8]
    ) throws(SignatureError) {
        guard case .request(let line) = source.kind else {
            guard case .response(let status, _) = source.kind, derivation == .status else {
                throw component.fault(.requestComponentInResponse, "a response has no such component")
            }
            octets += String(status.code).utf8
            return
        }
        switch derivation {
        case .method: octets += line.method.rawValue.utf8
        case .targetURI: octets += line.target.uri.utf8
        case .authority: octets += line.target.authority.utf8
        case .scheme: octets += line.target.scheme.utf8
        case .requestTarget: octets += (line.requestTarget ?? line.target.originForm).utf8
        case .path: octets += line.target.path.utf8
        case .query:
            octets.append(UInt8(ascii: "?"))
            if let query = line.target.query { octets += query.utf8 }
        case .queryParameter: octets += try queryParameter(component, line.target).utf8
        case .status: throw component.fault(.statusInRequest, "a request has no status")
        }
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

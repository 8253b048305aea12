internal import HTTPMessages
internal import StructuredFields

/// Finds the values of components in one message (RFC 9421, section 2.5).
struct ComponentReader {
    private let message: SignableMessage
    private let types: FieldTypes
    private let limits: SignatureLimits
    /// The fields and trailers of the message, then those of its request; each made when it is first asked for.
    private var sections: [FieldIndex?] = [nil, nil, nil, nil]
    private var form: FormQuery?

    init(_ message: SignableMessage, types: FieldTypes, limits: SignatureLimits) {
        self.message = message
        self.types = types
        self.limits = limits
    }

    mutating func value(of component: ComponentIdentifier) throws(SignatureError) -> [UInt8] {
        let source = try source(of: component)
        guard component.isDerived else {
            let isTrailers = component.isInTrailers
            let section = (component.isOfRequest ? 2 : 0) + (isTrailers ? 1 : 0)
            let fields = isTrailers ? source.trailers : source.fields
            // Taken out while it is changed, so that what it remembers is not copied.
            var index =
                sections[section].take()
                ?? FieldIndex(fields, version: source.version, isTrailers: isTrailers)
            defer { sections[section] = index }
            return try index.value(of: component, types: types, limits: limits)
        }
        return Array(try derivedValue(of: component, in: source).utf8)
    }

    /// The message that a component is taken from.
    private func source(of component: ComponentIdentifier) throws(SignatureError) -> SignableMessage {
        guard component.isOfRequest else { return message }
        guard !message.isRequest else {
            throw component.fault(.reqInRequest, "req has no place in the signature of a request")
        }
        guard let request = message.relatedRequest, request.isRequest else {
            throw component.fault(.relatedRequestMissing, "the request is not at hand")
        }
        return request
    }

    private mutating func derivedValue(
        of component: ComponentIdentifier,
        in source: SignableMessage
    ) throws(SignatureError) -> String {
        switch (source.kind, component.name) {
        case (.response(let status, _), "@status"):
            return String(status.code)
        case (.response, _):
            throw component.fault(.requestComponentInResponse, "a response has no such component")
        case (.request, "@status"):
            throw component.fault(.statusInRequest, "a request has no status")
        case (.request(let method, let target, let requestTarget), let name):
            switch name {
            case "@method": return method.rawValue
            case "@target-uri": return target.uri
            case "@authority": return target.authority
            case "@scheme": return target.scheme
            case "@request-target": return requestTarget
            case "@path": return target.path
            case "@query": return "?" + (target.query ?? "")
            default: return try queryParameter(component, target)
            }
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

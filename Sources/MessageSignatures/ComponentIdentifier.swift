public import HTTPMessages
public import StructuredFields

/// The name of one covered part of a message, with its parameters (RFC 9421, section 2).
///
/// Two identifiers are equal whatever the order of their parameters, and `sf` beside `key` does not count, since it
/// changes nothing. Serialised, the order stays as it was given.
public struct ComponentIdentifier: Sendable, CustomStringConvertible {
    /// What the identifier is made of, in one object: a signature takes an identifier up several times, and each text in it
    /// would be counted each time.
    private final class Parts: Sendable {
        let name: String
        let parameters: Parameters
        let serialized: String
        let canonical: String
        let derivation: Derivation?
        let isOfRequest: Bool
        let isInTrailers: Bool
        let isWhole: Bool
        let isOfSignature: Bool

        init(_ name: String, _ parameters: Parameters, serialized: String, canonical: String) {
            self.name = name
            self.parameters = parameters
            self.serialized = serialized
            self.canonical = canonical
            derivation = name.utf8.first == UInt8(ascii: "@") ? Derivation(rawValue: name) : nil
            isOfRequest = parameters["req"] != nil
            isInTrailers = parameters["tr"] != nil
            isWhole = parameters.allSatisfy { $0.key == "req" || $0.key == "tr" }
            isOfSignature = name == "signature" || name == "signature-input"
        }
    }

    private let parts: Parts

    /// A field name in lower case, or a name with an `@`.
    public var name: String { parts.name }
    /// The parameters in their order.
    public var parameters: Parameters { parts.parameters }
    /// The identifier as it stands in a signature base, with its quotes.
    public var serialized: String { parts.serialized }
    /// What derives the value; nil for a field.
    var derivation: Derivation? { parts.derivation }
    var isOfRequest: Bool { parts.isOfRequest }
    var isInTrailers: Bool { parts.isInTrailers }
    /// Whether the value is the whole of a field as it stands in the message.
    var isWhole: Bool { parts.isWhole }
    /// Whether it names one of the two fields that signatures stand in.
    var isOfSignature: Bool { parts.isOfSignature }

    /// The derived components of section 2.2.
    enum Derivation: String {
        case method = "@method"
        case targetURI = "@target-uri"
        case authority = "@authority"
        case scheme = "@scheme"
        case requestTarget = "@request-target"
        case path = "@path"
        case query = "@query"
        case queryParameter = "@query-param"
        case status = "@status"
    }

    /// Makes an identifier.
    ///
    /// - Throws: ``SignatureError`` with the code of the rule that name and parameters break: `invalidComponentName`,
    ///   `unknownDerivedComponent`, `signatureParamsCovered`, `unknownComponentParameter`,
    ///   `componentParameterNotApplicable`, `malformedComponentParameter`, `incompatibleComponentParameters`,
    ///   `queryParamNameMissing` or `statusInRequest`.
    public init(_ name: String, parameters: Parameters = [:]) throws(SignatureError) {
        try ComponentRules.check(name, parameters)
        guard !parameters.isEmpty else {
            // The rules leave no name with a character that would have to be escaped.
            parts = ComponentIdentifier(known: name).parts
            return
        }
        let (serialized, canonical): (String, String)
        do throws(StructuredFieldError) {
            serialized = try Item(.string(name), parameters: parameters).serialized()
            var sorted: Parameters = [:]
            for (key, value) in parameters.sorted(by: { $0.key < $1.key })
            where key != "sf" || parameters["key"] == nil {
                sorted[key] = value
            }
            canonical = try Item(.string(name), parameters: sorted).serialized()
        } catch {
            throw SignatureError(
                .malformedComponentParameter,
                "a parameter of a component has no form on the wire",
                component: name,
                underlying: error
            )
        }
        parts = Parts(name, parameters, serialized: serialized, canonical: canonical)
    }

    /// Reads an identifier as it stands in a signature base, such as `"@method";req`.
    ///
    /// - Throws: ``SignatureError`` with code `invalidComponentName` for a text that is not one string with parameters, or
    ///   the codes of ``init(_:parameters:)``.
    public init(parsing text: String) throws(SignatureError) {
        let item: Item
        do throws(StructuredFieldError) {
            item = try Item(parsing: text, with: SignatureLimits().parser(.reject))
        } catch {
            throw SignatureError(
                .invalidComponentName,
                "the text is not a component identifier",
                underlying: error
            )
        }
        guard let name = item.bareItem.string else {
            throw SignatureError(.invalidComponentName, "a component identifier is a string")
        }
        try self.init(name, parameters: item.parameters)
    }

    /// Takes a name that is known to be right, and one parameter whose text is plain.
    private init(known name: String, _ parameter: (name: String, value: String)? = nil) {
        let parameters: Parameters = parameter.map { [$0.name: .string($0.value)] } ?? [:]
        let serialized = "\"\(name)\"" + (parameter.map { ";\($0.name)=\"\($0.value)\"" } ?? "")
        parts = Parts(name, parameters, serialized: serialized, canonical: serialized)
    }

    /// The same component of the request that a response answers.
    ///
    /// - Throws: ``SignatureError`` with code `statusInRequest` for `@status`.
    public func ofRequest() throws(SignatureError) -> ComponentIdentifier {
        var parameters = self.parameters
        parameters["req"] = true
        return try ComponentIdentifier(name, parameters: parameters)
    }

    /// The whole of a field: its lines joined with a comma and a space.
    public static func field(_ name: HTTPField.Name) -> ComponentIdentifier {
        ComponentIdentifier(known: name.canonicalName)
    }

    /// `@query-param`: one parameter of the query.
    ///
    /// - Parameter name: The name as text; it is encoded here.
    /// - Returns: The identifier with the encoded name.
    public static func queryParameter(_ name: String) -> ComponentIdentifier {
        ComponentIdentifier(known: "@query-param", ("name", FormQuery.encode(name)))
    }

    /// The serialised form.
    public var description: String { serialized }

    /// `@method`: the method of the request.
    public static let method = ComponentIdentifier(known: "@method")
    /// `@target-uri`: the whole target URI.
    public static let targetURI = ComponentIdentifier(known: "@target-uri")
    /// `@authority`: host and port of the target.
    public static let authority = ComponentIdentifier(known: "@authority")
    /// `@scheme`: the scheme of the target.
    public static let scheme = ComponentIdentifier(known: "@scheme")
    /// `@request-target`: what the first line of the request says.
    public static let requestTarget = ComponentIdentifier(known: "@request-target")
    /// `@path`: the path of the target.
    public static let path = ComponentIdentifier(known: "@path")
    /// `@query`: the query of the target with its question mark.
    public static let query = ComponentIdentifier(known: "@query")
    /// `@status`: the status of the response.
    public static let status = ComponentIdentifier(known: "@status")
    /// The `Content-Digest` field.
    public static let contentDigest = ComponentIdentifier(known: "content-digest")

    var key: String? { parameters["key"]?.string }

    func fault(_ code: SignatureError.Code, _ message: String) -> SignatureError {
        SignatureError(code, message, component: serialized)
    }
}

extension ComponentIdentifier: Hashable {
    /// Whether both name the same part of a message.
    public static func == (left: Self, right: Self) -> Bool {
        guard left.parts !== right.parts else { return true }
        return left.parts.canonical.utf8.count == right.parts.canonical.utf8.count
            && left.parts.canonical == right.parts.canonical
    }

    /// Feeds the form by which identifiers are compared.
    public func hash(into hasher: inout Hasher) { hasher.combine(parts.canonical) }
}

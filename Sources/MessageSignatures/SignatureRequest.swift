public import StructuredFields

/// A signature that a peer asks for: a member of `Accept-Signature` (RFC 9421, section 5.1).
public struct SignatureRequest: Sendable, Hashable {
    /// The label that the signature is to carry.
    public var label: String
    /// What it is to cover, in order.
    public var components: [ComponentIdentifier]
    /// All parameters in their order; those that the standard does not define are kept.
    ///
    /// Here `created` and `expires` are true where they are wanted, and have no time.
    public var parameters: Parameters = [:]

    /// Whether it is to state `created`.
    public var wantsCreated: Bool {
        get { parameters["created"] != nil }
        set { parameters["created"] = newValue ? true : nil }
    }
    /// Whether it is to state `expires`.
    public var wantsExpires: Bool {
        get { parameters["expires"] != nil }
        set { parameters["expires"] = newValue ? true : nil }
    }
    /// The nonce that it is to carry.
    public var nonce: String? {
        get { parameters["nonce"]?.string }
        set { parameters["nonce"] = newValue.map(BareItem.string) }
    }
    /// The name of the algorithm that it is to use.
    public var algorithmName: String? {
        get { parameters["alg"]?.string }
        set { parameters["alg"] = newValue.map(BareItem.string) }
    }
    /// The key that it is to be made with.
    public var keyIdentifier: String? {
        get { parameters["keyid"]?.string }
        set { parameters["keyid"] = newValue.map(BareItem.string) }
    }
    /// The tag that it is to carry.
    public var tag: String? {
        get { parameters["tag"]?.string }
        set { parameters["tag"] = newValue.map(BareItem.string) }
    }

    /// Makes a wish for a signature with `created`.
    public init(label: String, components: [ComponentIdentifier]) {
        self.label = label
        self.components = components
        wantsCreated = true
    }

    /// Reads the field `Accept-Signature`, its lines joined with commas.
    ///
    /// - Throws: ``SignatureError`` with code `malformedSignatureRequest`, `limitExceeded`, or the codes of
    ///   ``ComponentIdentifier``.
    public static func parse(
        _ octets: [UInt8],
        limits: SignatureLimits = SignatureLimits()
    ) throws(SignatureError) -> [SignatureRequest] {
        let dictionary: FieldDictionary
        do throws(StructuredFieldError) {
            dictionary = try limits.parser(.reject).parseDictionary(octets)
        } catch {
            throw SignatureError(
                error.isLimit ? .limitExceeded : .malformedSignatureRequest,
                "Accept-Signature is not a dictionary",
                underlying: error
            )
        }
        guard dictionary.count <= limits.labels else {
            throw SignatureError(.limitExceeded, "the message asks for too many signatures")
        }
        var requests: [SignatureRequest] = []
        for (label, member) in dictionary { requests.append(try SignatureRequest(label, member, limits)) }
        return requests
    }

    private init(_ label: String, _ member: Member, _ limits: SignatureLimits) throws(SignatureError) {
        guard let list = member.innerList else { throw Self.malformed }
        self.init(
            label: label,
            components: try list.componentIdentifiers(.malformedSignatureRequest, limits: limits)
        )
        parameters = list.parameters
        for (name, value) in parameters {
            let isRight =
                switch name {
                case "created", "expires": value.boolean == true
                case "nonce", "alg", "keyid", "tag": value.string != nil
                default: true
                }
            guard isRight else { throw Self.malformed }
        }
    }

    /// The member with its label, as it goes into `Accept-Signature`.
    ///
    /// - Throws: ``SignatureError`` with code `invalidLabel` or `unserializableParameter`.
    public func serialized() throws(SignatureError) -> String {
        let items = components.map { Item(.string($0.name), parameters: $0.parameters) }
        do throws(StructuredFieldError) {
            let list = Member.innerList(InnerList(items, parameters: parameters))
            return try ([label: list] as FieldDictionary).serialized()
        } catch {
            throw SignatureError(
                error.code == .invalidKey ? .invalidLabel : .unserializableParameter,
                "the wish has no form",
                underlying: error
            )
        }
    }

    private static var malformed: SignatureError {
        SignatureError(
            .malformedSignatureRequest,
            "a member of Accept-Signature is not a list of components, or a parameter has the wrong type"
        )
    }
}

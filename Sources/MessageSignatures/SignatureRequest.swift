internal import StructuredFields

/// A signature that a peer asks for: a member of `Accept-Signature` (RFC 9421, section 5.1).
public struct SignatureRequest: Sendable, Hashable {
    /// The label that the signature is to carry.
    public var label: String
    /// What it is to cover, in order.
    public var components: [ComponentIdentifier]
    /// Whether it is to state `created`.
    public var wantsCreated: Bool
    /// Whether it is to state `expires`.
    public var wantsExpires: Bool
    /// The nonce that it is to carry.
    public var nonce: String?
    /// The name of the algorithm that it is to use.
    public var algorithmName: String?
    /// The key that it is to be made with.
    public var keyIdentifier: String?
    /// The tag that it is to carry.
    public var tag: String?

    /// Makes a wish for a signature with `created`.
    public init(label: String, components: [ComponentIdentifier]) {
        self.label = label
        self.components = components
        wantsCreated = true
        wantsExpires = false
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
        wantsCreated = try Self.flag(list.parameters["created"])
        wantsExpires = try Self.flag(list.parameters["expires"])
        nonce = try Self.text(list.parameters["nonce"])
        algorithmName = try Self.text(list.parameters["alg"])
        keyIdentifier = try Self.text(list.parameters["keyid"])
        tag = try Self.text(list.parameters["tag"])
    }

    /// The member with its label, as it goes into `Accept-Signature`.
    ///
    /// - Throws: ``SignatureError`` with code `invalidLabel` or `unserializableParameter`.
    public func serialized() throws(SignatureError) -> String {
        var parameters: Parameters = [:]
        if wantsCreated { parameters["created"] = true }
        if wantsExpires { parameters["expires"] = true }
        parameters["nonce"] = nonce.map(BareItem.string)
        parameters["alg"] = algorithmName.map(BareItem.string)
        parameters["keyid"] = keyIdentifier.map(BareItem.string)
        parameters["tag"] = tag.map(BareItem.string)
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

    private static func flag(_ value: BareItem?) throws(SignatureError) -> Bool {
        guard let value else { return false }
        guard value.boolean == true else { throw malformed }
        return true
    }

    private static func text(_ value: BareItem?) throws(SignatureError) -> String? {
        guard let value else { return nil }
        guard let text = value.string else { throw malformed }
        return text
    }

    private static var malformed: SignatureError {
        SignatureError(
            .malformedSignatureRequest,
            "a member of Accept-Signature is not a list of components, or a parameter has the wrong type"
        )
    }
}

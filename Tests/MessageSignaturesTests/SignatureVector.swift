import Encodings
import HTTPMessages
import MessageSignatures
import StructuredFields
import TestVectors
import Testing

/// One case of the public vectors for message signatures, with the keys of its file.
struct SignatureVector: Sendable, CustomTestStringConvertible {
    let id: String
    let members: JSONObject
    let keys: VectorKeys

    var testDescription: String { id }

    static func load(_ file: String, _ section: String = "cases") throws -> [SignatureVector] {
        guard ConformanceData.isPresent else { return [] }
        let bytes = [UInt8](try ConformanceData.bytes("http-signatures/\(file).json"))
        let root = try #require(try JSONValue(parsing: bytes).object)
        let keys = VectorKeys(root["keys"]?.object ?? JSONObject())
        return try #require(root[section]?.array).map { value in
            let members = try #require(value.object)
            return SignatureVector(id: try #require(members["id"]?.string), members: members, keys: keys)
        }
    }

    func text(_ name: String) throws -> String { try #require(members[name]?.string) }

    /// The message, with the request that it answers; throws for a URL that cannot be one.
    func message() throws -> SignableMessage {
        let request = try members["request"]?.object.map { try Self.message($0, answering: nil) }
        return try Self.message(try #require(members["message"]?.object), answering: request)
    }

    private static func message(
        _ object: JSONObject,
        answering request: SignableMessage?
    ) throws -> SignableMessage {
        let fields = lines(object["fields"])
        let trailers = lines(object["trailers"])
        let content = Array((object["body"]?.string ?? "").utf8)
        let version: WireVersion =
            object["http_version"]?.string.map { $0 != "1.1" } == true ? .http2 : .http1
        guard object["type"]?.string == "request" else {
            return SignableMessage(
                status: try HTTPStatus(Int(object["status"]?.integer ?? 0)),
                answering: request,
                fields: fields,
                trailers: trailers,
                content: content,
                version: version
            )
        }
        return SignableMessage(
            method: try HTTPMethod(try #require(object["method"]?.string)),
            target: try SignableTarget(try #require(object["url"]?.string)),
            requestTarget: object["request_target"]?.string,
            fields: fields,
            trailers: trailers,
            content: content,
            version: version
        )
    }

    private static func lines(_ value: JSONValue?) -> [FieldLine] {
        (value?.array ?? []).map { pair in
            let pair = (pair.array ?? []).compactMap(\.string)
            return FieldLine(pair[0], pair[1])
        }
    }

    /// The types that the application of the case knows.
    func fieldTypes() throws -> FieldTypes {
        var types = FieldTypes(["content-digest": .dictionary, "repr-digest": .dictionary])
        types["signature"] = .dictionary
        types["signature-input"] = .dictionary
        for (name, kind) in members["field_types"]?.object?.members ?? [] {
            switch kind.string {
            case "item": types[name] = .item
            case "list": types[name] = .list
            default: types[name] = .dictionary
            }
        }
        return types
    }

    func policy() throws -> VerificationPolicy {
        let object = members["policy"]?.object ?? JSONObject()
        let components = Self.texts(object["required_components"])
        var policy = VerificationPolicy(
            requiredComponents: try components.map { try ComponentIdentifier(parsing: $0) }
        )
        policy.requiredParameters = Set(Self.texts(object["required_parameters"]))
        policy.forbiddenParameters = Set(Self.texts(object["forbidden_parameters"]))
        policy.requiredTag = object["required_tag"]?.string
        policy.clockSkew = object["clock_skew_s"]?.integer ?? 0
        policy.maximumAge = object["max_age_s"]?.integer
        if object["known_nonces"] != nil {
            let known = Self.texts(object["known_nonces"])
            policy.isNonceNew = { !known.contains($0.nonce) }
            // Somebody must say how long a nonce counts.
            policy.maximumAge = policy.maximumAge ?? .max
        }
        if object["trusted_keyids"] != nil {
            policy.trustedKeyIdentifiers = Set(Self.texts(object["trusted_keyids"]))
        }
        if object["allowed_algorithms"] != nil {
            policy.allowedAlgorithms = Set(
                Self.texts(object["allowed_algorithms"]).compactMap(MessageSignatureAlgorithm.init)
            )
        }
        policy.fieldTypes = try fieldTypes()
        return policy
    }

    private static func texts(_ value: JSONValue?) -> [String] { value?.array?.compactMap(\.string) ?? [] }

    @discardableResult
    func verify() throws -> VerifiedMessage {
        let now = try #require(members["now"]?.integer)
        let keys = keys
        let fallback = members["key"]?.string
        let verifier = MessageVerifier(policy: try policy(), now: { now }) { identifier in
            if let identifier { return try keys.verificationKey(identifier: identifier) }
            return try fallback.flatMap { try keys.verificationKey(named: $0) }
        }
        return try verifier.verify(try message(), label: try text("label"))
    }
}

import Encodings
import MessageSignatures

/// A verification policy in JSON, its members named as those of `VerificationPolicy`.
///
/// What is not known is refused: a policy with a misspelt member would demand less than its author thinks.
enum PolicyFile {
    private static let limit = 1 << 20

    static func read(_ path: String, _ files: InputFiles) throws -> VerificationPolicy {
        let octets = try files.read(path, "the policy", limit: limit, trust: .readableByOthers)
        guard let object = try JSONValue(parsing: octets).object else {
            throw fault("the policy is not a JSON object")
        }
        return try policy(object)
    }

    private static func policy(_ object: JSONObject) throws -> VerificationPolicy {
        guard let required = object["requiredComponents"] else {
            throw fault("requiredComponents is missing: an empty array demands none")
        }
        let components = try texts(required, "requiredComponents")
        var policy = VerificationPolicy(
            requiredComponents: try components.map { try ComponentIdentifier(parsing: $0) }
        )
        for (name, value) in object.members { try set(name, value, &policy) }
        return policy
    }

    private static func set(
        _ name: String,
        _ value: JSONValue,
        _ policy: inout VerificationPolicy
    ) throws {
        switch name {
        case "requiredComponents": break
        case "requiredParameters": policy.requiredParameters = try parameters(value, name)
        case "forbiddenParameters": policy.forbiddenParameters = try parameters(value, name)
        case "requiredTag": policy.requiredTag = try text(value, name)
        case "maximumAge": policy.maximumAge = try seconds(value, name)
        case "clockSkew": policy.clockSkew = try seconds(value, name)
        case "allowedAlgorithms":
            policy.allowedAlgorithms = Set(try texts(value, name).map { try algorithm($0, name) })
        case "trustedKeyIdentifiers": policy.trustedKeyIdentifiers = Set(try texts(value, name))
        case "minimumDigest":
            guard let digest = DigestAlgorithm(rawValue: try text(value, name)) else {
                throw fault("\(name) is not sha-256 or sha-512")
            }
            policy.minimumDigest = digest
        case "checksContentDigest": policy.checksContentDigest = try truth(value, name)
        case "checksReprDigest": policy.checksReprDigest = try truth(value, name)
        case "externalOrigin": policy.externalOrigin = try ExternalOrigin(text(value, name))
        case "acceptsStringSignatures": policy.acceptsStringSignatures = try truth(value, name)
        case "readsTrailers": policy.readsTrailers = try truth(value, name)
        case "fieldTypes":
            guard let types = value.object else { throw fault("\(name) is not an object") }
            for (field, kind) in types.members {
                guard let kind = FieldTypes.Kind(name: try text(kind, name)) else {
                    throw fault("\(name) holds another kind than item, list and dictionary")
                }
                policy.fieldTypes[field] = kind
            }
        default: throw fault("the policy has a member that is not known: \(name.escapingControls)")
        }
    }

    private static func algorithm(
        _ text: String,
        _ name: String
    ) throws(ToolError) -> MessageSignatureAlgorithm {
        guard let algorithm = MessageSignatureAlgorithm(rawValue: text) else {
            throw fault("\(name) holds a name that is no algorithm")
        }
        return algorithm
    }

    /// Names of parameters, which have the grammar of keys: another name would never be found.
    private static func parameters(_ value: JSONValue, _ name: String) throws(ToolError) -> Set<String> {
        let names = try texts(value, name)
        for text in names {
            guard let first = text.utf8.first, first == UInt8(ascii: "*") || (0x61...0x7A).contains(first),
                text.utf8.allSatisfy({
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "_-.*".utf8.contains($0)
                })
            else { throw fault("\(name) holds a name that no parameter can have") }
        }
        return Set(names)
    }

    private static func text(_ value: JSONValue, _ name: String) throws(ToolError) -> String {
        guard let text = value.string else { throw fault("\(name) is not a string") }
        return text
    }

    private static func texts(_ value: JSONValue, _ name: String) throws(ToolError) -> [String] {
        guard let elements = value.array, case let texts = elements.compactMap(\.string),
            texts.count == elements.count
        else { throw fault("\(name) is not an array of strings") }
        return texts
    }

    private static func seconds(_ value: JSONValue, _ name: String) throws(ToolError) -> Int64 {
        guard let seconds = value.integer, seconds >= 0 else {
            throw fault("\(name) is not a number of seconds from 0")
        }
        return seconds
    }

    private static func truth(_ value: JSONValue, _ name: String) throws(ToolError) -> Bool {
        guard let truth = value.bool else { throw fault("\(name) is not true or false") }
        return truth
    }

    private static func fault(_ message: String) -> ToolError { ToolError(.invalidPolicy, message) }
}

internal import Encodings
public import FoundationEssentials

/// What a browser may upload with a form, and until when (the POST policy of Amazon S3).
public struct PostPolicy: Sendable {
    /// A rule for one field of the form.
    public enum Condition: Sendable, Hashable {
        /// The field has exactly this value.
        case equals(field: String, value: String)
        /// The field's value starts with this; an empty prefix allows any value.
        case startsWith(field: String, prefix: String)
        /// The content has so many octets.
        case contentLength(ClosedRange<Int64>)

        var field: String? {
            switch self {
            case .equals(let field, _), .startsWith(let field, _): field.lowercased()
            case .contentLength: nil
            }
        }

        var json: JSONValue {
            switch self {
            case .equals(let field, let value): ["eq", .string("$\(field)"), .string(value)]
            case .startsWith(let field, let prefix): ["starts-with", .string("$\(field)"), .string(prefix)]
            case .contentLength(let range):
                ["content-length-range", .integer(range.lowerBound), .integer(range.upperBound)]
            }
        }
    }

    /// When the form ends, 1 to 604,800 seconds after it was signed.
    public var expiration: Date
    /// The rules, which must name `bucket` and `key`; the fields of the signature are added.
    public var conditions: [Condition]

    /// Makes a policy.
    public init(expiration: Date, conditions: [Condition]) {
        self.expiration = expiration
        self.conditions = conditions
    }

    /// The policy as JSON, with the fields of the signature as further rules.
    func document(adding fields: [(name: String, value: String)]) throws(AWSSigningError) -> [UInt8] {
        let named = Set(conditions.compactMap(\.field))
        guard named.contains("bucket"), named.contains("key") else {
            throw AWSSigningError(.invalidPolicy, "a policy must say which bucket and which keys")
        }
        guard fields.allSatisfy({ !named.contains($0.name) }) else {
            throw AWSSigningError(.invalidPolicy, "a rule names a field that the signer sets")
        }
        for case .contentLength(let range) in conditions where range.lowerBound < 0 {
            throw AWSSigningError(.invalidPolicy, "a length is negative")
        }
        let seconds = expiration.timeIntervalSince1970.rounded(.down)
        let end = CivilTime(secondsSince1970: Int64(seconds)).text.dropLast() + ".000Z"
        let added = fields.map { Condition.equals(field: $0.name, value: $0.value) }
        let policy: JSONValue = [
            "expiration": .string(String(end)),
            "conditions": .array((conditions + added).map(\.json)),
        ]
        return policy.serialized()
    }
}

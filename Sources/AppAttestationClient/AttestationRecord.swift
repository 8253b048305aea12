internal import Encodings

/// What an installation remembers of its key.
public struct AttestationRecord: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The identifier of the attested key, in Base 64; nil when there is none.
    public var keyID: String?
    /// The identifier of a key that was made and is not attested yet.
    ///
    /// An installation that stopped in between goes on with it, so that no further key is made.
    public var pendingKeyID: String?
    /// How often the key was dropped; whoever reports a key names the generation that it belongs to.
    public var generation: Int
    /// When the key was attested, in seconds since 1970-01-01T00:00:00Z.
    public var attestedAt: Int64?
    /// Whether a key has been replaced, attested or not yet, and its successor has not yet served for long enough; it happens
    /// once until then.
    public var wasReplaced: Bool
    /// Whether the successor was refused too; nothing but ``AttestationService/reset()`` ends that.
    public var isExhausted: Bool

    /// Makes a record, by default of an installation that has no key.
    public init(
        keyID: String? = nil,
        pendingKeyID: String? = nil,
        generation: Int = 0,
        attestedAt: Int64? = nil,
        wasReplaced: Bool = false,
        isExhausted: Bool = false
    ) {
        self.keyID = keyID
        self.pendingKeyID = pendingKeyID
        self.generation = generation
        self.attestedAt = attestedAt
        self.wasReplaced = wasReplaced
        self.isExhausted = isExhausted
    }

    /// Reads what ``serialized()`` gives, and nothing else.
    init?(_ octets: [UInt8]) {
        guard let object = (try? JSONValue(parsing: octets))?.object, object["version"]?.integer == 1,
            let generation = object["generation"]?.integer.flatMap({ Int(exactly: $0) }), generation >= 0,
            let wasReplaced = object["replaced"]?.bool, let isExhausted = object["exhausted"]?.bool
        else { return nil }
        self.init(
            keyID: object["keyId"]?.string,
            pendingKeyID: object["pendingKeyId"]?.string,
            generation: generation,
            attestedAt: object["attestedAt"]?.integer,
            wasReplaced: wasReplaced,
            isExhausted: isExhausted
        )
        // What is not one of these members, or not written like this, was not written here.
        guard serialized() == octets,
            [keyID, pendingKeyID].allSatisfy({ $0.map(KeyIdentifier.isOne) ?? true })
        else { return nil }
    }

    /// The record in JSON.
    func serialized() -> [UInt8] {
        var object = JSONObject()
        object["version"] = 1
        object["keyId"] = keyID.map { .string($0) }
        object["pendingKeyId"] = pendingKeyID.map { .string($0) }
        object["generation"] = .integer(Int64(generation))
        object["attestedAt"] = attestedAt.map { .integer($0) }
        object["replaced"] = .bool(wasReplaced)
        object["exhausted"] = .bool(isExhausted)
        return object.serialized()
    }

    /// Drops the key of a generation after it was refused; of another generation it was dropped already.
    ///
    /// - Returns: The identifier of the key that was dropped, or nil.
    mutating func drop(generation refused: Int) -> String? {
        guard generation == refused, let dropped = keyID else { return nil }
        keyID = nil
        pendingKeyID = nil
        attestedAt = nil
        generation += 1
        useReplacement()
        return dropped
    }

    /// Drops a key that cannot be attested, which counts as a replacement, also for the next process.
    ///
    /// - Returns: False, and nothing changed, when it was dropped already.
    mutating func drop(pending refused: String) -> Bool {
        guard pendingKeyID == refused else { return false }
        pendingKeyID = nil
        useReplacement()
        return true
    }

    private mutating func useReplacement() {
        isExhausted = wasReplaced
        wasReplaced = true
    }

    /// What is there, without identifiers.
    public var description: String {
        let key = keyID != nil ? "a key" : pendingKeyID != nil ? "a key to be attested" : "no key"
        return "\(key), generation \(generation)\(isExhausted ? ", exhausted" : "")"
    }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

package import Encodings
package import HTTPMessages

/// The pins in a configuration: a member for each host, `*` for all others.
///
/// A value is an array of pins in Base 64 or, for a set that ends or only reports, an object with the members `pins`,
/// `expires` in seconds since 1970 and `reportOnly`.
extension PinningPolicy {
    package var configurationObject: JSONObject {
        var object = JSONObject()
        for (host, set) in hosts.sorted(by: { $0.key.description < $1.key.description }) {
            object[host.description] = Self.value(of: set)
        }
        if let others { object["*"] = Self.value(of: others) }
        return object
    }

    init(configuration object: JSONObject) throws(ConfigurationError) {
        self.init()
        for (name, value) in object.members {
            let set = try Self.set(of: value)
            guard name != "*" else {
                others = set
                continue
            }
            guard let host = try? HostPattern(name) else {
                throw ConfigurationError(.invalidField, "pins holds a name that is not a host")
            }
            guard self[host] == nil else {
                throw ConfigurationError(.invalidField, "pins names a host twice")
            }
            self[host] = set
        }
    }

    private static func value(of set: PinSet) -> JSONValue {
        let pins = JSONValue.array(set.pins.map { .string($0.base64) })
        guard set.expiresAt != nil || set.mode == .reportOnly else { return pins }
        var object = JSONObject()
        object["pins"] = pins
        if let end = set.expiresAt { object["expires"] = .number(JSONNumber(end)) }
        if set.mode == .reportOnly { object["reportOnly"] = true }
        return .object(object)
    }

    private static func set(of value: JSONValue) throws(ConfigurationError) -> PinSet {
        var set = PinSet([])
        let object = value.object
        for text in try array(object?["pins"] ?? value) {
            guard let pin = try? PublicKeyPin(parsing: text.string ?? "") else {
                throw ConfigurationError(.invalidField, "pins holds a value that is not the SHA-256 of a key")
            }
            set.pins.append(pin)
        }
        guard let object else { return set }
        for (name, value) in object.members {
            switch (name, value) {
            case ("pins", _): continue
            case ("expires", .number(let number)) where number.integer != nil: set.expiresAt = number.integer
            case ("reportOnly", .bool(let isReportOnly)): set.mode = isReportOnly ? .reportOnly : .enforce
            default: throw ConfigurationError(.invalidField, "pins holds a member that is not known")
            }
        }
        return set
    }

    private static func array(_ value: JSONValue) throws(ConfigurationError) -> [JSONValue] {
        guard let array = value.array else {
            throw ConfigurationError(.invalidField, "pins holds a value that is not an array")
        }
        return array
    }
}

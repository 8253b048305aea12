import Cryptography
import Encodings
import HTTPMessages
import JSONWebTokens

/// The line reads `protection:1:<length>:<payload>:<checksum>`: the version; the number of characters of the payload, so
/// that a cut is told from a change; the payload, a JSON object in base64url; and the first eight octets of the SHA-256
/// of everything before the last colon, in hexadecimal. The checksum finds accidents, not attackers: whoever can
/// change the line owns the app.
extension ProtectionConfiguration {
    private static let prefix = "protection:"
    private static let version = "1"
    private static let checksumLength = 16

    /// The configuration as one line of ASCII without spaces.
    ///
    /// - Throws: ``ConfigurationError`` with code `checksumMismatch` when OpenSSL cannot compute the checksum.
    public func encoded() throws(ConfigurationError) -> String {
        let payload: JSONValue = [
            "authority": .string(authority.absoluteString),
            "account": .string(account),
            "hosts": .array(protectedHosts.map { .string($0.description) }),
            "pins": .object(pins.configurationObject),
            "key": .object(authorityKeyObject),
        ]
        let text = Base64.url.encode(payload.serialized())
        let head = "\(Self.prefix)\(Self.version):\(text.utf8.count):\(text)"
        return "\(head):\(try Self.checksum(of: head))"
    }

    /// Reads a line that ``encoded()`` has made.
    ///
    /// - Throws: ``ConfigurationError``: `notAConfiguration` for a text that does not start as one does,
    ///   `unknownVersion`, `truncated` for a string that was cut, `invalidCharacter` and `checksumMismatch` for one
    ///   that was changed, `missingField` and `invalidField` for a payload that does not say what it must.
    public init(parsing line: String) throws(ConfigurationError) {
        let octets = Array(line.utf8)
        guard line.hasPrefix(Self.prefix) else {
            let isCut = !line.isEmpty && Self.prefix.hasPrefix(line)
            throw isCut
                ? ConfigurationError(.truncated, "the string ends within its first word", at: octets.count)
                : ConfigurationError(
                    .notAConfiguration,
                    "the string does not start with \(Self.prefix)",
                    at: 0
                )
        }
        var offset = Self.prefix.utf8.count
        let version = try Self.readField(of: octets, from: &offset)
        guard version == Self.version else {
            throw ConfigurationError(
                .unknownVersion,
                "the string is of another version",
                at: Self.prefix.utf8.count
            )
        }
        let lengthOffset = offset
        let digits = try Self.readField(of: octets, from: &offset)
        guard let length = Int(digits), "\(length)" == digits, (1...1 << 20).contains(length) else {
            throw ConfigurationError(.invalidCharacter, "the length is not a number", at: lengthOffset)
        }
        let payloadEnd = offset + length
        let end = payloadEnd + 1 + Self.checksumLength
        guard octets.count >= end else {
            throw ConfigurationError(.truncated, "the line was cut off", at: octets.count)
        }
        guard octets.count == end, octets[payloadEnd] == UInt8(ascii: ":") else {
            throw ConfigurationError(
                .invalidCharacter,
                "a character too many",
                at: octets.count == end ? payloadEnd : end
            )
        }
        let payload: [UInt8]
        do {
            payload = try Base64.url.decode(Array(octets[offset..<payloadEnd]))
        } catch {
            throw ConfigurationError(.invalidCharacter, "the payload is damaged", at: offset + error.offset)
        }
        let head = String(decoding: octets[..<payloadEnd], as: UTF8.self)
        guard try Self.checksum(of: head) == String(decoding: octets[(payloadEnd + 1)...], as: UTF8.self)
        else {
            throw ConfigurationError(
                .checksumMismatch,
                "a character was changed: the checksum does not match"
            )
        }
        try self.init(payload: payload)
    }

    private static func readField(
        of octets: [UInt8],
        from offset: inout Int
    ) throws(ConfigurationError) -> String {
        guard let end = octets[offset...].firstIndex(of: UInt8(ascii: ":")) else {
            throw ConfigurationError(.truncated, "the line was cut off", at: octets.count)
        }
        defer { offset = end + 1 }
        return String(decoding: octets[offset..<end], as: UTF8.self)
    }

    private static func checksum(of head: String) throws(ConfigurationError) -> String {
        guard let hash = try? HashAlgorithm.sha256.hash(Array(head.utf8)) else {
            throw ConfigurationError(.checksumMismatch, "the checksum cannot be computed")
        }
        return Hex.encode(hash.prefix(checksumLength / 2))
    }

    private init(payload: [UInt8]) throws(ConfigurationError) {
        guard let object = (try? JSONValue(parsing: payload))?.object else {
            throw ConfigurationError(.invalidField, "the payload is not a JSON object")
        }
        let authorityText = try Self.require(object, "authority").string ?? ""
        guard let authority = try? RequestTarget(authorityText) else {
            throw ConfigurationError(.invalidField, "authority is not a URL")
        }
        guard let account = try Self.require(object, "account").string else {
            throw ConfigurationError(.invalidField, "account is not a text")
        }
        var hosts: [HostPattern] = []
        for value in try Self.require(object, "hosts").array ?? [] {
            hosts.append(try Self.host(value.string ?? "", in: "hosts"))
        }
        guard let pinObject = try Self.require(object, "pins").object else {
            throw ConfigurationError(.invalidField, "pins is not an object")
        }
        guard let keyObject = try Self.require(object, "key").object, let key = try? JSONWebKey(keyObject)
        else {
            throw ConfigurationError(.invalidField, "key is not a JSON Web Key")
        }
        try self.init(
            authority: authority,
            account: account,
            protectedHosts: hosts,
            pins: try PinningPolicy(configuration: pinObject),
            authorityKey: key
        )
    }

    private static func require(_ object: JSONObject, _ name: String) throws(ConfigurationError) -> JSONValue
    {
        guard let value = object[name] else {
            throw ConfigurationError(.missingField, "the field \(name) is missing")
        }
        return value
    }

    private static func host(_ text: String, in field: String) throws(ConfigurationError) -> HostPattern {
        guard let pattern = try? HostPattern(text) else {
            throw ConfigurationError(.invalidField, "\(field) holds a value that is not a host")
        }
        return pattern
    }
}

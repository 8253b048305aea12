internal import HTTPMessages

/// The one form of a request that client and service both compute, whose hash is signed.
///
/// The text holds the values of fields, among them a session token: print ``redacted`` instead. The description shows
/// nothing of them.
public struct CanonicalRequest: Sendable, Hashable, CustomStringConvertible {
    /// The octets that are hashed.
    public let bytes: [UInt8]
    private let signedFieldRange: Range<Int>

    /// A field or parameter that a signature adds.
    struct Field {
        let name: String
        let value: String
        /// Whether the value is its own canonical form.
        var isPlain = true
    }

    /// Builds the canonical form.
    ///
    /// - Parameters:
    ///   - request: The request as it will be sent.
    ///   - fields: The fields of the request, without those of an earlier signature.
    ///   - added: The fields that the signature adds and covers.
    ///   - profile: The rules of the service.
    ///   - contentHash: What stands for the content.
    ///   - query: The parameters; those of the signature need the list of signed fields, which is handed over.
    /// - Throws: ``AWSSigningError`` with code `invalidField` for a value that is not ASCII, or what `query` throws.
    init(
        _ request: HTTPRequest,
        fields: [HTTPField],
        adding added: [Field],
        under profile: ServiceProfile,
        contentHash: [UInt8],
        query: ((ArraySlice<UInt8>) throws(AWSSigningError) -> CanonicalQuery)? = nil
    ) throws(AWSSigningError) {
        let entries = try Self.sorted(fields, adding: added, host: request.target.authority, under: profile)
        var path: [UInt8] = []
        if !CanonicalPath.isPlain(request.target.path, under: profile) {
            CanonicalPath.append(request.target.path, under: profile, to: &path)
        }
        var parameters: [UInt8] = []
        if let query {
            let names = OctetWriter.array(capacity: entries.reduce(0) { $0 + $1.name.utf8.count + 1 }) {
                Self.appendNames(of: entries, to: &$0)
            }
            try query(names[...]).append(to: &parameters)
        } else if let text = request.target.query {
            try CanonicalQuery(text).append(to: &parameters)
        }
        let method = request.method.rawValue
        let lengths = entries.reduce(into: 0) { $0 += 2 * $1.name.utf8.count + $1.value.utf8.count + 3 }
        let others = method.utf8.count + path.count + request.target.path.utf8.count + parameters.count
        var start = 0
        var end = 0
        bytes = OctetWriter.array(capacity: lengths + others + contentHash.count + 8) { output in
            output.append(method)
            output.append(newline)
            if path.isEmpty { output.append(request.target.path) } else { output.append(path) }
            output.append(newline)
            output.append(parameters)
            output.append(newline)
            Self.append(entries, to: &output)
            output.append(newline)
            start = output.count
            Self.appendNames(of: entries, to: &output)
            end = output.count
            output.append(newline)
            output.append(contentHash)
        }
        signedFieldRange = start..<end
    }

    /// The names of the signed fields, as the signature lists them.
    var signedFieldNames: ArraySlice<UInt8> { bytes[signedFieldRange] }

    /// The names of the signed fields, in lower case, joined with `;`.
    public var signedFields: String { String(decoding: signedFieldNames, as: UTF8.self) }

    /// The whole text; it may hold a session token.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The text for a person, in which lengths stand for the session token and for everything that may be a secret.
    public var redacted: String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.count > 2 {
            lines[2] = lines[2].split(separator: "&", omittingEmptySubsequences: false)
                .map { Self.redact($0, after: "=", when: { $0 == "X-Amz-Security-Token" }) }
                .joined(separator: "&")
        }
        for index in lines.indices.dropFirst(3) {
            lines[index] = Self.redact(lines[index][...], after: ":") {
                $0 == "x-amz-security-token" || $0 == "cookie"
                    || $0.hasPrefix("x-amz-server-side-encryption-")
                    || $0.hasPrefix("x-amz-copy-source-server-side-encryption-")
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The names of the signed fields, and nothing of the request.
    public var description: String { "CanonicalRequest(\(signedFields))" }

    private static func redact(
        _ text: Substring,
        after separator: Character,
        when isSecret: (Substring) -> Bool
    ) -> String {
        guard let end = text.firstIndex(of: separator), isSecret(text[..<end]) else { return String(text) }
        return "\(text[...end])<\(text[end...].utf8.count - 1) octets>"
    }

    // MARK: Fields

    private static func sorted(
        _ fields: [HTTPField],
        adding added: [Field],
        host: String,
        under profile: ServiceProfile
    ) throws(AWSSigningError) -> [Field] {
        var entries: [Field] = []
        entries.reserveCapacity(fields.count + added.count + 1)
        insert(Field(name: "host", value: host), in: &entries)
        // What is added is plain, and in the order of names.
        for field in added { insert(field, in: &entries) }
        for field in fields {
            let name = field.name.canonicalName
            guard name != "host", !FieldRules.isNeverSigned(name) else { continue }
            guard profile.unsignedFields.isEmpty || !profile.unsignedFields.contains(field.name) else {
                continue
            }
            insert(
                Field(name: name, value: field.value, isPlain: try isPlain(field.value, of: name)),
                in: &entries
            )
        }
        return entries
    }

    /// Insertion keeps lines of one name in their order, and requests have a dozen fields.
    private static func insert(_ field: Field, in entries: inout [Field]) {
        var index = entries.count
        while index > 0, field.name < entries[index - 1].name { index -= 1 }
        entries.insert(field, at: index)
    }

    private static func append(_ entries: [Field], to output: inout OctetWriter) {
        for (index, entry) in entries.enumerated() {
            if index > 0, entry.name == entries[index - 1].name {
                // Several lines of one name are one value.
                output.replaceLast(by: UInt8(ascii: ","))
            } else {
                output.append(entry.name)
                output.append(UInt8(ascii: ":"))
            }
            if entry.isPlain { output.append(entry.value) } else { appendFolded(entry.value, to: &output) }
            output.append(newline)
        }
    }

    private static func appendNames(of entries: [Field], to output: inout OctetWriter) {
        for (index, entry) in entries.enumerated() where index == 0 || entry.name != entries[index - 1].name {
            if index > 0 { output.append(UInt8(ascii: ";")) }
            output.append(entry.name)
        }
    }

    /// Whether a value has no run of blanks and no tab.
    ///
    /// - Throws: ``AWSSigningError`` with code `invalidField` for a value that is not ASCII.
    private static func isPlain(_ value: String, of name: String) throws(AWSSigningError) -> Bool {
        let octets = value.utf8.span
        var isPlain = true
        var wasBlank = false
        for index in octets.indices {
            let octet = octets[index]
            guard octet < 0x80 else {
                throw AWSSigningError(.invalidField, "the value of \(name) is not ASCII")
            }
            let isBlank = octet == 0x20 || octet == 0x09
            if isBlank, wasBlank || octet == 0x09 { isPlain = false }
            wasBlank = isBlank
        }
        return isPlain
    }

    /// Appends a value with each run of blanks as one.
    private static func appendFolded(_ value: String, to output: inout OctetWriter) {
        let octets = value.utf8.span
        var wasBlank = false
        for index in octets.indices {
            let isBlank = octets[index] == 0x20 || octets[index] == 0x09
            if !isBlank || !wasBlank { output.append(isBlank ? 0x20 : octets[index]) }
            wasBlank = isBlank
        }
    }
}

private let newline = UInt8(ascii: "\n")

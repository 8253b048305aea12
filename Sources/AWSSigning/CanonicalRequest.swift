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
        contentHash: some Collection<UInt8>,
        query: ((ArraySlice<UInt8>) throws(AWSSigningError) -> CanonicalQuery)? = nil
    ) throws(AWSSigningError) {
        let entries = Self.sorted(fields, adding: added, host: request.target.authority, under: profile)
        var output: [UInt8] = []
        output.reserveCapacity(640 + request.target.originForm.utf8.count)
        output.append(contentsOf: request.method.rawValue.utf8)
        output.append(newline)
        CanonicalPath.append(request.target.path, under: profile, to: &output)
        output.append(newline)
        if let query {
            var names: [UInt8] = []
            Self.appendNames(of: entries, to: &names)
            try query(names[...]).append(to: &output)
        } else if let text = request.target.query {
            try CanonicalQuery(text).append(to: &output)
        }
        output.append(newline)
        for (index, entry) in entries.enumerated() {
            if index > 0, entry.name == entries[index - 1].name {
                // Several lines of one name are one value.
                output[output.count - 1] = UInt8(ascii: ",")
            } else {
                output.append(contentsOf: entry.name.utf8)
                output.append(UInt8(ascii: ":"))
            }
            try Self.append(entry, to: &output)
            output.append(newline)
        }
        output.append(newline)
        let start = output.count
        Self.appendNames(of: entries, to: &output)
        signedFieldRange = start..<output.count
        output.append(newline)
        output.append(contentsOf: contentHash)
        bytes = output
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
    ) -> [Field] {
        var entries: [Field] = []
        entries.reserveCapacity(fields.count + added.count + 1)
        // Insertion keeps lines of one name in their order, and requests have a dozen fields.
        func insert(_ field: Field) {
            var index = entries.count
            entries.append(field)
            while index > 0, field.name < entries[index - 1].name {
                entries.swapAt(index, index - 1)
                index -= 1
            }
        }
        insert(Field(name: "host", value: host))
        for field in fields {
            let name = field.name.canonicalName
            guard name != "host", !FieldRules.isNeverSigned(name) else { continue }
            guard profile.unsignedFields.isEmpty || !profile.unsignedFields.contains(field.name) else {
                continue
            }
            insert(Field(name: name, value: field.value))
        }
        for field in added { insert(field) }
        return entries
    }

    private static func appendNames(of entries: [Field], to output: inout [UInt8]) {
        for (index, entry) in entries.enumerated() where index == 0 || entry.name != entries[index - 1].name {
            if index > 0 { output.append(UInt8(ascii: ";")) }
            output.append(contentsOf: entry.name.utf8)
        }
    }

    /// Appends a value with each run of blanks as one.
    private static func append(_ field: Field, to output: inout [UInt8]) throws(AWSSigningError) {
        let octets = field.value.utf8.span
        var isPlain = true
        var wasBlank = false
        for index in octets.indices {
            let octet = octets[index]
            guard octet < 0x80 else {
                throw AWSSigningError(.invalidField, "the value of \(field.name) is not ASCII")
            }
            let isBlank = octet == 0x20 || octet == 0x09
            if isBlank, wasBlank || octet == 0x09 { isPlain = false }
            wasBlank = isBlank
        }
        guard !isPlain else {
            output.append(contentsOf: field.value.utf8)
            return
        }
        wasBlank = false
        for index in octets.indices {
            let isBlank = octets[index] == 0x20 || octets[index] == 0x09
            if !isBlank || !wasBlank { output.append(isBlank ? 0x20 : octets[index]) }
            wasBlank = isBlank
        }
    }
}

private let newline = UInt8(ascii: "\n")

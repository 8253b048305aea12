internal import HTTPMessages

/// The one form of a request that client and service both compute, whose hash is signed.
///
/// The text holds the values of fields, among them a session token: print ``redacted`` instead. The description shows
/// nothing of them.
public struct CanonicalRequest: Sendable, Hashable, CustomStringConvertible {
    /// The octets that are hashed.
    public let bytes: [UInt8]
    private let signedFieldRange: Range<Int>

    /// Builds the canonical form.
    ///
    /// - Parameters:
    ///   - request: The request as it will be sent.
    ///   - fields: The fields of the request, without those of an earlier signature.
    ///   - added: The places of those that the signature adds.
    ///   - profile: The rules of the service.
    ///   - contentHash: What stands for the content.
    ///   - query: The parameters; those of the signature need the list of signed fields, which is handed over.
    /// - Throws: ``AWSSigningError`` with code `invalidField` for a value that is not ASCII, or what `query` throws.
    init(
        _ request: HTTPRequest,
        fields: [HTTPField],
        ofSignature added: Range<Int> = 0..<0,
        under profile: ServiceProfile,
        contentHash: [UInt8],
        query: ((ArraySlice<UInt8>) throws(AWSSigningError) -> CanonicalQuery)? = nil
    ) throws(AWSSigningError) {
        let signed = try SignedFields(
            fields,
            ofSignature: added,
            host: request.target.authority,
            under: profile
        )
        var path: [UInt8] = []
        if !CanonicalPath.isPlain(request.target.path, under: profile) {
            CanonicalPath.append(request.target.path, under: profile, to: &path)
        }
        var parameters: [UInt8] = []
        if let query {
            let names = OctetWriter.array(capacity: signed.lengths.names) { signed.appendNames(to: &$0) }
            try query(names[...]).append(to: &parameters)
        } else if let text = request.target.query {
            try CanonicalQuery(text).append(to: &parameters)
        }
        let method = request.method.rawValue
        let lengths = 2 * signed.lengths.names + signed.lengths.values
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
            signed.append(to: &output)
            output.append(newline)
            start = output.count
            signed.appendNames(to: &output)
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
}

private let newline = UInt8(ascii: "\n")

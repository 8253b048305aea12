internal import Encodings
internal import HTTPMessages

/// The one form of a request that client and service both compute, whose hash is signed.
///
/// The text holds the values of fields, among them a session token: print ``redacted`` instead. The description shows
/// nothing of them.
public struct CanonicalRequest: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
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
        _ request: borrowing HTTPRequest,
        fields: [HTTPField],
        ofSignature added: Range<Int> = 0..<0,
        under profile: borrowing ServiceProfile,
        contentHash: [UInt8],
        query: ((ArraySlice<UInt8>) throws(AWSSigningError) -> CanonicalQuery)? = nil
    ) throws(AWSSigningError) {
        let target = request.target
        let signed = try SignedFields(fields, ofSignature: added, host: target.authority, under: profile)
        var path: [UInt8] = []
        if !CanonicalPath.isPlain(target.path, under: profile) {
            CanonicalPath.append(target.path, under: profile, to: &path)
        }
        var parameters: [UInt8] = []
        if let query {
            let names = OctetWriter.array(capacity: signed.lengths.names) { signed.appendNames(to: &$0) }
            try query(names[...]).append(to: &parameters)
        } else if let text = target.query {
            try CanonicalQuery(text).append(to: &parameters)
        }
        let method = request.method.rawValue
        let lengths = 2 * signed.lengths.names + signed.lengths.values
        let others = method.utf8.count + path.count + target.path.utf8.count + parameters.count
        var start = 0
        var end = 0
        bytes = OctetWriter.array(capacity: lengths + others + contentHash.count + 8) { output in
            output.append(method)
            output.append(newline)
            if path.isEmpty { output.append(target.path) } else { output.append(path) }
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

    /// The text for a person, in which lengths stand for values.
    ///
    /// Anything may be a secret: a token in a field or a query of the caller's own. So only values are shown of which it
    /// is known that they are none, such as `host`, `content-type`, `X-Amz-Date` and what else the signature itself
    /// sets; and the path, which names the resource.
    public var redacted: String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.count > 2 {
            lines[2] = lines[2].split(separator: "&", omittingEmptySubsequences: false)
                .map { Self.redact($0, after: "=", unless: Self.plainParameters) }
                .joined(separator: "&")
        }
        for index in lines.indices.dropFirst(3) {
            lines[index] = Self.redact(lines[index][...], after: ":", unless: Self.plainFields)
        }
        return lines.joined(separator: "\n")
    }

    /// Fields whose values hold no secret, in lower case.
    private static let plainFields: Set<Substring> = [
        "accept", "content-encoding", "content-length", "content-md5", "content-type", "date", "host",
        "range",
        "x-amz-acl", "x-amz-content-sha256", "x-amz-date", "x-amz-decoded-content-length", "x-amz-region-set",
        "x-amz-storage-class", "x-amz-target", "x-amz-trailer",
    ]

    /// Parameters of the query whose values hold no secret.
    private static let plainParameters: Set<Substring> = [
        "Action", "Version", "X-Amz-Algorithm", "X-Amz-Content-Sha256", "X-Amz-Credential", "X-Amz-Date",
        "X-Amz-Expires", "X-Amz-Region-Set", "X-Amz-SignedHeaders", "list-type", "max-keys", "partNumber",
    ]

    /// The names of the signed fields, and nothing of the request.
    public var description: String { "CanonicalRequest(\(signedFields))" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }

    private static func redact(
        _ text: Substring,
        after separator: Character,
        unless plain: Set<Substring>
    ) -> String {
        guard let end = text.firstIndex(of: separator), !plain.contains(text[..<end]) else {
            return String(text)
        }
        let count = text[end...].utf8.count - 1
        return count == 0 ? String(text) : "\(text[...end])<\(count) octets>"
    }
}

private let newline = UInt8(ascii: "\n")

import AppAttestation
import Encodings
import HTTPMessages

/// What a client shows at `attest`.
struct AttestationRequest {
    let sessionID: String
    /// Nil when the client leaves it to the attestation.
    let keyID: [UInt8]?
    let attestation: [UInt8]

    /// Reads the members; others are passed over.
    init(_ object: JSONObject) throws(AuthorityError) {
        guard let sessionID = object["sessionId"]?.string, (1...128).contains(sessionID.utf8.count),
            let attestation = object["attestation"]?.string
        else { throw Self.malformed }
        self.sessionID = sessionID
        var keyID: String?
        if let value = object["keyId"] {
            guard let text = value.string else { throw Self.malformed }
            keyID = text
        }
        do throws(DecodingFault) {
            self.keyID = if let keyID { try Base64.standard.decode(keyID) } else { nil }
            self.attestation = try Base64.standard.decode(attestation)
        } catch { throw Self.malformed }
    }

    /// The object of JSON that a request has, after method, media type and size were found right.
    ///
    /// - Parameters:
    ///   - request: The request, with its content in memory.
    ///   - limit: The most octets of its content.
    ///   - isOptional: Whether a request without content, which needs no media type then, stands for an empty object.
    /// - Returns: The object.
    /// - Throws: ``AuthorityError`` for any other request.
    static func object(
        in request: HTTPRequest,
        limit: Int,
        isOptional: Bool = false
    ) throws(AuthorityError) -> JSONObject {
        guard request.method == .post else {
            throw AuthorityError(.methodNotAllowed, "the path takes POST only")
        }
        if isOptional, request.target.query == nil, request.body.map({ $0.bytes?.isEmpty == true }) ?? true {
            return JSONObject()
        }
        let types = request.fields[values: .contentType]
        guard types.count == 1, let type = types.first, isJSON(type) else {
            throw AuthorityError(.unsupportedMediaType, "the content must be application/json")
        }
        guard let body = request.body?.bytes, request.target.query == nil else { throw malformed }
        guard body.count <= limit else {
            throw AuthorityError(.contentTooLarge, "the content is too large")
        }
        guard let object = (try? JSONValue(parsing: body))?.object else { throw malformed }
        return object
    }

    /// Whether a field says `application/json`, in UTF-8 if it names a set of characters (RFC 8259, section 8.1).
    private static func isJSON(_ field: String) -> Bool {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false).map { part in
            part.filter { $0 != " " && $0 != "\t" }.lowercased()
        }
        guard parts.first == "application/json" else { return false }
        return parts.count == 1
            || parts.count == 2 && ["charset=utf-8", "charset=\"utf-8\""].contains(parts[1])
    }

    private static var malformed: AuthorityError {
        AuthorityError(.malformedRequest, "the request is not in its form")
    }
}

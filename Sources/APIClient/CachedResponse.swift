import Cryptography
import Encodings
import HTTPMessages

/// A representation that a server gave, and the tag that it goes by.
struct CachedResponse: Sendable, Hashable {
    var etag: String
    var fields: HTTPFields
    let body: [UInt8]
    /// Whether the server calls it private: it is not written to a file then.
    let isPrivate: Bool

    /// The octets that count against the limit of a cache.
    var size: Int {
        body.count + fields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.bytes.count + 4 }
    }

    /// What may be kept of a response; nil when nothing may.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - request: What it answers.
    ///   - ignored: The fields of requests that tell no two apart.
    init?(_ response: HTTPResponse, to request: HTTPRequest, ignored: Set<HTTPField.Name>) {
        let directives = CacheControl(response.fields)
        let varying = CacheControl.members(of: "Vary", in: response.fields)
        guard response.status == .ok, response.stream == nil,
            let etag = response.fields["ETag"], EntityTag.isValid(etag),
            !directives.contains("no-store"), !CacheControl(request.fields).contains("no-store"),
            // A field that tells no two requests apart in the key must not tell two responses apart.
            !varying.contains("*"), !ignored.contains(where: { varying.contains($0.canonicalName) })
        else { return nil }
        self.etag = etag
        fields = HTTPFields(response.fields.filter { $0.name != .setCookie })
        body = response.body
        isPrivate = directives.contains("private")
    }

    init(etag: String, fields: HTTPFields, body: [UInt8]) {
        self.etag = etag
        self.fields = fields
        self.body = body
        isPrivate = false
    }

    /// Takes over the fields of a 304 (RFC 9111, section 3.2); those of the content stay.
    mutating func update(with response: HTTPResponse) {
        let kept: Set<HTTPField.Name> = [
            .contentLength, "Content-Encoding", "Content-Range", .contentType, "Transfer-Encoding",
            "Connection",
        ]
        let fresh = response.fields.filter { !kept.contains($0.name) && $0.name != .setCookie }
        for name in Set(fresh.map(\.name)) { fields.removeAll(name) }
        for field in fresh { fields.append(field) }
        if let tag = response.fields["ETag"], EntityTag.isValid(tag) { etag = tag }
    }

    /// What tells requests apart: the SHA-256 of the URL and of every field but those that are ignored.
    ///
    /// All fields count, not those of `Vary` alone: a server that forgets to name a credential there would otherwise have
    /// one user's body shown to another.
    static func key(
        of request: HTTPRequest,
        ignored: Set<HTTPField.Name>
    ) throws(CryptographyError) -> String {
        var octets = Array(request.target.absoluteString.utf8)
        for field in request.fields.sorted(by: { $0.name.canonicalName < $1.name.canonicalName })
        where !ignored.contains(field.name) {
            // Neither a line break nor a colon can stand in a name, nor a line break in a value.
            octets += "\n\(field.name.canonicalName):".utf8
            octets += field.bytes
        }
        return Hex.encode(try HashAlgorithm.sha256.hash(octets))
    }
}

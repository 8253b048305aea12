import HTTPMessages

/// Where a bearer token may go, and how it is put there.
struct BearerScope: Sendable {
    let hosts: [HostPattern]

    /// Whether a request may get the token: its host is listed, nobody on the way can read it (RFC 6750, section 5.3),
    /// and it has no credentials of its own.
    func covers(_ request: HTTPRequest) -> Bool {
        (request.target.isSecure || request.target.isLoopback)
            && hosts.contains { $0.matches(request.target.host) }
            && !request.fields.contains(.authorization)
    }

    /// The request with the token, or as it was when there is none.
    func adding(_ token: String?, to request: HTTPRequest) throws -> HTTPRequest {
        guard let token else { return request }
        try Self.check(token)
        var request = request
        try request.fields.set("Bearer \(token)", for: .authorization)
        return request
    }

    /// Checks that a text is a `b64token` (RFC 6750, section 2.1).
    ///
    /// - Throws: ``InterceptorError`` with code `invalidCredential`.
    static func check(_ token: String) throws(InterceptorError) {
        let body = token.utf8.reversed().drop { $0 == UInt8(ascii: "=") }
        guard !body.isEmpty, body.allSatisfy(isTokenOctet) else {
            throw InterceptorError(.invalidCredential, "the credential is not a bearer token")
        }
    }

    private static func isTokenOctet(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~+/".utf8.contains(octet)
        }
    }
}

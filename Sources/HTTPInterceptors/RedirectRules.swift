import HTTPMessages

/// The request that follows a redirect (RFC 9110, section 15.4).
struct RedirectRules: Sendable {
    let allowsInsecure: Bool
    let sensitiveFields: @Sendable () -> [HTTPField.Name]
    /// The second since 1970.
    let now: @Sendable () -> Int64

    /// Fields that speak for the user or the client to one origin, or name it.
    static let credentialFields: [HTTPField.Name] = [
        .authorization, .cookie, "Proxy-Authorization", "Signature", "Signature-Input", .host,
        "X-Amz-Security-Token", "X-Amz-Date", "X-Amz-Content-Sha256", "X-Amz-Region-Set",
    ]

    /// Fields that describe a content, which a request that has become GET no longer has.
    static let contentFields: [HTTPField.Name] = [
        .contentType, .contentLength, "Content-Encoding", "Content-Language", "Content-Location",
        "Content-Range", "Content-Disposition", "Content-Digest", "Content-MD5", "Repr-Digest", "Digest",
        "Last-Modified", "Transfer-Encoding", "Trailer", "Expect",
    ]

    /// Whether a status is one of the five redirects; 300 leaves a choice, 304 and 305 are none.
    static func isRedirect(_ status: HTTPStatus) -> Bool { [301, 302, 303, 307, 308].contains(status.code) }

    /// The request that a redirect asks for.
    ///
    /// - Parameters:
    ///   - request: The request that was redirected.
    ///   - response: The redirect.
    ///   - pins: The pins of the caller's own request, which a hop to another host may have left behind.
    /// - Returns: The request to send.
    /// - Throws: ``RedirectError`` when it asks for none that may be sent.
    func request(
        following request: HTTPRequest,
        redirectedBy response: HTTPResponse,
        pins: PinningPolicy?
    ) throws(RedirectError) -> HTTPRequest {
        let failure = { (code: RedirectError.Code, message: String) in
            RedirectError(code, message, status: response.status, host: request.target.host)
        }
        let locations = response.fields[values: .location]
        guard let location = locations.first else { throw failure(.missingLocation, "there is no Location") }
        guard locations.count == 1 else {
            throw failure(.repeatedLocation, "there is more than one Location")
        }
        let reference = URLReference(location)
        if let scheme = reference.scheme?.lowercased(), Self.isScheme(scheme),
            !["http", "https"].contains(scheme)
        {
            throw failure(.unsupportedScheme, "the Location has another scheme than http and https")
        }
        guard let target = reference.resolved(against: request.target) else {
            throw failure(.invalidLocation, "the Location leads to nothing that can be requested")
        }
        guard target.isSecure || !request.target.isSecure || allowsInsecure else {
            throw failure(.insecureRedirect, "the Location leads from https to http")
        }

        var following = request
        following.target = target
        if Self.becomesGet(request.method, status: response.status) {
            following.method = .get
            following.body = nil
            for name in Self.contentFields { following.fields.removeAll(name) }
        } else if request.body?.isReplayable == false {
            throw failure(.bodyNotReplayable, "the content of the request cannot be sent again")
        }
        if target.origin != request.target.origin {
            for name in Self.credentialFields + sensitiveFields() { following.fields.removeAll(name) }
            // What the caller exempted was the first host. Pins that say nothing firm of the next one must not stand in
            // place of those that the session has for it; for a host further on they may.
            following.options.isPinned = true
            let isEnforced = pins?.pins(for: target.host, at: now())?.mode == .enforce
            following.options.pins = isEnforced ? pins : nil
        }
        return following
    }

    /// 303 asks for GET; after 301 and 302 all clients turn POST into GET, as the standard allows.
    private static func becomesGet(_ method: HTTPMethod, status: HTTPStatus) -> Bool {
        switch status.code {
        case 303: method != .get && method != .head
        case 301, 302: method == .post
        default: false
        }
    }

    /// The `scheme` rule of RFC 3986, section 3.1, in lower case.
    private static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else {
            return false
        }
        return text.utf8.allSatisfy { octet in
            switch octet {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
    }
}

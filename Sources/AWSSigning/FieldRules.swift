internal import HTTPMessages

/// Which fields a signature covers, and which ones it sets itself.
enum FieldRules {
    /// Whether a field, named in lower case, is left out because the connection, a proxy or a cache may change it.
    ///
    /// That is what AWS's own signers leave out (baggage, connection, expect, keep-alive, proxy fields, te, trailer,
    /// transfer-encoding, upgrade, user-agent, x-amzn-trace-id, WebSocket keys), and what proxies are known to rewrite.
    static func isNeverSigned(_ name: String) -> Bool {
        switch name.utf8.first {
        case UInt8(ascii: "a"): name == "accept-encoding" || name == "authorization"
        case UInt8(ascii: "b"): name == "baggage"
        case UInt8(ascii: "c"): name == "connection" || name.hasPrefix("cf-") || name == "cdn-loop"
        case UInt8(ascii: "e"): name == "expect"
        case UInt8(ascii: "f"): name == "forwarded"
        case UInt8(ascii: "k"): name == "keep-alive"
        case UInt8(ascii: "m"): name == "max-forwards"
        case UInt8(ascii: "p"): name.hasPrefix("proxy-")
        case UInt8(ascii: "s"): name.hasPrefix("sec-websocket-")
        case UInt8(ascii: "t"):
            name == "te" || name == "trailer" || name == "transfer-encoding" || name == "traceparent"
                || name == "tracestate"
        case UInt8(ascii: "u"): name == "user-agent" || name == "upgrade"
        case UInt8(ascii: "v"): name == "via"
        case UInt8(ascii: "x"):
            switch name.utf8.dropFirst(2).first {
            case UInt8(ascii: "a"): name == "x-amzn-trace-id"
            case UInt8(ascii: "f"): name.hasPrefix("x-forwarded-")
            case UInt8(ascii: "r"): name == "x-real-ip"
            default: false
            }
        default: false
        }
    }

    /// Whether the signer sets a field, so that one of an earlier signature must go.
    static func isOfSignature(_ name: String) -> Bool {
        // The length alone tells most names apart.
        switch name.utf8.count {
        case 10: name == "x-amz-date"
        case 13: name == "authorization"
        case 16: name == "x-amz-region-set"
        case 20: name == "x-amz-security-token" || name == "x-amz-content-sha256"
        default: false
        }
    }

    /// The fields of a request without those of an earlier signature.
    ///
    /// - Throws: ``AWSSigningError`` with code `conflictingField` when an `Authorization` of another scheme or another
    ///   `Host` is there.
    static func unsigned(_ request: HTTPRequest, adding count: Int) throws(AWSSigningError) -> [HTTPField] {
        var fields: [HTTPField] = []
        fields.reserveCapacity(request.fields.count + count)
        for field in request.fields {
            let name = field.name.canonicalName
            if name == "host", field.value != request.target.authority {
                throw AWSSigningError(.conflictingField, "the Host field is not the host of the URL")
            }
            guard isOfSignature(name) else {
                fields.append(field)
                continue
            }
            if name == "authorization", !field.value.hasPrefix("AWS4-") {
                throw AWSSigningError(
                    .conflictingField,
                    "the request has an Authorization of another scheme"
                )
            }
        }
        return fields
    }
}

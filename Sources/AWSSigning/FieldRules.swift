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
        case UInt8(ascii: "c"): name == "connection" || starts(name, with: "cf-") || name == "cdn-loop"
        case UInt8(ascii: "e"): name == "expect"
        case UInt8(ascii: "f"): name == "forwarded"
        case UInt8(ascii: "k"): name == "keep-alive"
        case UInt8(ascii: "m"): name == "max-forwards"
        case UInt8(ascii: "p"): starts(name, with: "proxy-")
        case UInt8(ascii: "s"): starts(name, with: "sec-websocket-")
        case UInt8(ascii: "t"):
            name == "te" || name == "trailer" || name == "transfer-encoding" || name == "traceparent"
                || name == "tracestate"
        case UInt8(ascii: "u"): name == "user-agent" || name == "upgrade"
        case UInt8(ascii: "v"): name == "via"
        case UInt8(ascii: "x"):
            name == "x-amzn-trace-id" || name == "x-real-ip" || starts(name, with: "x-forwarded-")
        default: false
        }
    }

    private static let connection: HTTPField.Name = "Connection"

    /// The fields, named in lower case, that `Connection` names: they go no further than the next hop (RFC 9110,
    /// section 7.6.1).
    static func perHop(_ fields: [HTTPField]) -> Set<String> {
        var names: Set<String> = []
        for field in fields where field.name == connection {
            for member in field.value.utf8.split(separator: UInt8(ascii: ",")) {
                let name = member.filter { $0 != 0x20 && $0 != 0x09 }
                    .map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
                names.insert(String(decoding: name, as: UTF8.self))
            }
        }
        return names
    }

    /// Octet for octet: `hasPrefix` asks first how either text is normalised.
    private static func starts(_ name: String, with prefix: StaticString) -> Bool {
        let octets = name.utf8.span
        guard octets.count >= prefix.utf8CodeUnitCount else { return false }
        return prefix.withUTF8Buffer { prefix in
            for index in prefix.indices where unsafe prefix[index] != octets[index] { return false }
            return true
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
        let all = request.fields.array
        var fields: [HTTPField] = []
        fields.reserveCapacity(all.count + count)
        for index in all.indices {
            let name = all[index].name.canonicalName
            if name == "host", all[index].value != request.target.authority {
                throw AWSSigningError(.conflictingField, "the Host field is not the host of the URL")
            }
            guard isOfSignature(name) else {
                fields.append(all[index])
                continue
            }
            if name == "authorization", !all[index].value.hasPrefix("AWS4-") {
                throw AWSSigningError(
                    .conflictingField,
                    "the request has an Authorization of another scheme"
                )
            }
        }
        return fields
    }
}

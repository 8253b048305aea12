import Cryptography
import Encodings
import HTTPMessages
import HTTPTransport

/// What is told of the certificates that a server showed.
struct ChainDescription {
    let target: RequestTarget
    let chain: ServerChain

    var isTrusted: Bool { chain.distrust == nil }

    /// A line for the server and the rows of each certificate, the server's own first.
    ///
    /// The pins of a chain that is not trusted cannot be pasted as they stand.
    func text(_ style: TextStyle, now: Int64) -> String {
        let trust =
            chain.distrust.map { style.red("NOT TRUSTED: \($0.message.escapingControls)") }
            ?? style.green("trusted")
        let mark = isTrusted ? "" : "(not trusted) "
        let parts = chain.certificates.map { certificate in
            [
                ("subject", certificate.subject.escapingControls),
                ("issuer", certificate.issuer.escapingControls),
                ("expires", Self.date(certificate.notAfter, now)),
                ("config", "\(mark)\(target.host)=\(Self.pin(certificate))"),
                ("pin", "\(mark)sha256/\(Self.pin(certificate))"),
            ].map { name, value in
                "  " + style.bold(name) + String(repeating: " ", count: 9 - name.count) + value
            }.joined(separator: "\n")
        }
        return (["\(target.scheme)://\(target.authority) \(trust)"] + parts).joined(separator: "\n\n")
    }

    var json: JSONValue {
        var members = JSONObject()
        members["host"] = .string(target.host)
        members["authority"] = .string(target.authority)
        members["isTrusted"] = .bool(isTrusted)
        if let distrust = chain.distrust { members["reason"] = .string(distrust.message) }
        members["certificates"] = .array(
            chain.certificates.map { certificate in
                [
                    "subject": .string(certificate.subject),
                    "issuer": .string(certificate.issuer),
                    "notAfter": .integer(certificate.notAfter),
                    "spkiSHA256": .string(Self.pin(certificate)),
                    "pin": .string("sha256/\(Self.pin(certificate))"),
                    "config": .string("\(target.host)=\(Self.pin(certificate))"),
                ]
            }
        )
        return .object(members)
    }

    private static func pin(_ certificate: Certificate) -> String {
        Base64.standard.encode(certificate.subjectPublicKeyInfoSHA256)
    }

    private static func date(_ seconds: Int64, _ now: Int64) -> String {
        guard Timestamp.isDate(seconds) else { return "\(seconds)" }
        return "\(Timestamp.text(seconds)) (\(Timestamp.distance(seconds, from: now)))"
    }
}

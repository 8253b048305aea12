import MessageSignatures

/// The options that the signature commands share.
extension CommandOption {
    static let scheme = value("scheme", "NAME", "the scheme of a raw request, by default https")
    static let authority = value("authority", "HOST", "host and port of a raw request, by default its Host")
    static let answeredRequest = file("request", "the request that a response answers")
    static let label = value("label", "NAME", "the label of the signature; by default that of the only one")
    static let created = value("created", "DATE", "the parameter created, or none; by default now")
    static let expires = value("expires", "DATE", "the parameter expires; by default there is none")
    static let nonce = value("nonce", "TEXT", "the parameter nonce")
    static let tag = value("tag", "TEXT", "the parameter tag")
    static let clock = value(
        "at",
        "DATE",
        "the time to go by: RFC 3339, or seconds since 1970; by default now"
    )
    static let fieldType = value(
        "field-type",
        "NAME=KIND",
        "a structured field: item, list or dictionary",
        isRepeatable: true
    )
    static let messageAlgorithm = value(
        "alg",
        "ALG",
        "the algorithm, where the key leaves a choice",
        kind: .choice(MessageSignatureAlgorithm.allCases.map(\.rawValue))
    )

    static func components(_ summary: String, isRequired: Bool = false) -> CommandOption {
        value("components", "LIST", summary, isRequired: isRequired)
    }
}

extension Command.Operand {
    static let message = Command.Operand(
        name: "FILE",
        kind: .file,
        summary: "the file with the message, or - for standard input"
    )
}

/// What the help of the signature commands says of messages.
enum MessageForms {
    static let discussion =
        "The message is raw HTTP/1.1, or JSON: {\"method\", \"url\", \"fields\": [[name, value]], \"body\"} for a request, "
        + "{\"status\", \"fields\", \"body\", \"request\"} for a response; bodyBase64 stands for a body that is not text, "
        + "trailers are as fields, and requestTarget is the target of a request line that is not path and query. "
        + "A raw body is as long as Content-Length says, or goes to the end."
}

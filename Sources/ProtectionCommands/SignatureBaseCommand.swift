import Encodings
import MessageSignatures
import StructuredFields
import Timing

extension Command {
    static let signatureBase = Command(
        ["signature", "base"],
        "print the signature base of a message",
        discussion: [
            "The base of RFC 9421 is written octet for octet, without a line break at its end: of the components that are "
                + "given, or of a signature that the message carries, which is not verified.",
            MessageForms.discussion,
        ],
        options: [
            .components("components in quotes, as in Signature-Input"), .label,
            .created, .expires, .nonce,
            .value("alg", "ALG", "the parameter alg"),
            .value("keyid", "ID", "the parameter keyid"),
            .tag, .clock, .fieldType, .answeredRequest, .scheme, .authority,
        ],
        operands: [.message],
        examples: [
            .init(
                purpose: "Show what a signature would cover",
                line: #"protection signature base --components '"@method" "@authority" "@path"' request.http"#
            ),
            .init(
                purpose: "Show what a signature covers that is there already",
                line: "protection signature base --label sig1 signed.http"
            ),
        ],
        run: SignatureBaseCommand.run
    )
}

/// `signature base`.
enum SignatureBaseCommand {
    private static let ofGivenComponents = ["created", "expires", "nonce", "alg", "keyid", "tag", "at"]

    static func run(_ invocation: Invocation) async throws {
        let options = SignatureArguments(invocation)
        var types = FieldTypes.standard
        try options.add(to: &types)
        let (label, base) = try base(invocation, options, types)
        guard invocation.console.isJSON else { return try invocation.console.write(octets: base.octets) }
        var answer = JSONObject()
        if let label { answer["label"] = .string(label) }
        answer["base"] = .string(String(decoding: base.octets, as: UTF8.self))
        answer["parameters"] = .string(base.signatureParameters)
        try invocation.console.write(.object(answer))
    }

    private static func base(
        _ invocation: Invocation,
        _ options: SignatureArguments,
        _ types: FieldTypes
    ) throws -> (label: String?, SignatureBase) {
        let arguments = invocation.arguments
        try arguments.exclude("components", "label")
        guard arguments.has("components") else {
            if let stray = ofGivenComponents.first(where: arguments.has) {
                throw invocation.usage("--\(stray) belongs to --components")
            }
            let message = try MessageFile(invocation).message
            let signature = try CarriedSignature(of: message, label: arguments["label"])
            let base = try SignatureBase(
                covering: signature.components,
                parameters: signature.parameters,
                of: message,
                types: types
            )
            return (signature.label, base)
        }
        let components = try options.components()
        let date = try arguments.date("at")
        let parameters = try options.parameters(
            at: date ?? invocation.time.secondsSince1970,
            algorithm: arguments["alg"],
            keyIdentifier: arguments["keyid"]
        )
        let message = try MessageFile(invocation).message
        return (
            nil, try SignatureBase(covering: components, parameters: parameters, of: message, types: types)
        )
    }
}

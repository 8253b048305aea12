import Encodings
import MessageSignatures
import StructuredFields
import Timing

extension Command {
    static let signatureSign = Command(
        ["signature", "sign"],
        "sign a message",
        discussion: [
            "The message is written in the form in which it was read, with Signature-Input and Signature at the end of its "
                + "fields. A Content-Digest that is covered must be the one of the body; --digest adds it first.",
            MessageForms.discussion,
        ],
        options: [
            .file("key", "the private key (PEM or JSON Web Key) or the secret", isRequired: true),
            .messageAlgorithm, .secretFormat,
            .components("components in quotes, as in Signature-Input", isRequired: true),
            .value("label", "NAME", "the label of the signature, by default sig1"),
            .created, .expires, .nonce,
            .value("keyid", "ID", "the parameter keyid, by default the kid of a JSON Web Key"),
            .tag,
            .flag("state-alg", "state the parameter alg"),
            .value(
                "digest",
                "ALG",
                "add a Content-Digest",
                kind: .choice(DigestAlgorithm.allCases.map(\.rawValue))
            ),
            .flag("fields", "write the added fields only"),
            .clock, .fieldType, .answeredRequest, .scheme, .authority,
        ],
        operands: [.message],
        examples: [
            .init(
                purpose: "Sign a request and its body",
                line: "protection signature sign --key private.pem --digest sha-256 "
                    + #"--components '"@method" "@target-uri" "content-digest"' request.http"#
            ),
            .init(
                purpose: "Make the two fields only, for five minutes from a date",
                line: "protection signature sign --key private.pem --fields --keyid client-1 "
                    + "--created 2026-01-01T00:00:00Z --expires 2026-01-01T00:05:00Z "
                    + #"--components '"@method" "@authority"' request.json"#
            ),
        ],
        run: SignatureSign.run
    )
}

/// `signature sign`.
enum SignatureSign {
    static func run(_ invocation: Invocation) async throws {
        let arguments = invocation.arguments
        let options = SignatureArguments(invocation)
        let components = try options.components()
        let date = try arguments.date("at")
        let (key, name) = try MessageKeyFile(invocation).signingKey(try arguments.required("key"))
        let file = try MessageFile(invocation)
        let now = date ?? invocation.time.secondsSince1970
        var message = file.message
        var added: [AddedField] = []
        if let digest = try digest(invocation, of: message, components) {
            added.append(digest)
            message.fields.append(digest.line)
        }
        var signer = MessageSigner(
            key: key,
            label: arguments["label"] ?? "sig1",
            components: components,
            now: { now }
        )
        try options.add(to: &signer.fieldTypes)
        let parameters = try options.parameters(
            at: now,
            algorithm: arguments.has("state-alg") ? key.algorithm.rawValue : nil,
            keyIdentifier: arguments["keyid"] ?? name
        )
        let signature = try signer.signature(of: message, parameters: parameters)
        added.append(AddedField(name: "Signature-Input", value: signature.signatureInputMember))
        added.append(AddedField(name: "Signature", value: signature.signatureMember))
        try write(added, of: signature, to: file, invocation)
    }

    private static func write(
        _ added: [AddedField],
        of signature: MessageSignature,
        to file: MessageFile,
        _ invocation: Invocation
    ) throws {
        let console = invocation.console
        if console.isJSON {
            return try console.write(["label": .string(signature.label), "fields": .array(added.map(\.json))])
        }
        if invocation.arguments.has("fields") {
            return try console.write(added.map(\.text).joined(separator: "\n"))
        }
        try console.write(octets: file.adding(added))
    }

    /// The field for `--digest`, which must be covered and may not be there already.
    private static func digest(
        _ invocation: Invocation,
        of message: SignableMessage,
        _ components: [ComponentIdentifier]
    ) throws -> AddedField? {
        guard let name = invocation.arguments["digest"], let algorithm = DigestAlgorithm(rawValue: name)
        else {
            return nil
        }
        guard components.contains(where: { $0.name == "content-digest" && $0.parameters["req"] == nil })
        else {
            throw invocation.usage("--digest adds a Content-Digest that --components does not cover")
        }
        guard !message.fields.contains(where: { $0.name == "content-digest" }) else {
            throw ToolError(.digestPresent, "the message has a Content-Digest already: leave --digest out")
        }
        let field = try DigestField(of: message.content ?? [], using: [algorithm])
        return AddedField(name: "Content-Digest", value: field.serialized)
    }
}

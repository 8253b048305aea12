import Encodings
import MessageSignatures
import StructuredFields
import Timing

extension Command {
    static let signatureVerify = Command(
        ["signature", "verify"],
        "verify a signature of a message",
        discussion: [
            "The signature and what the policy demands are checked, and the body where Content-Digest is covered. Only what "
                + "is listed as covered is vouched for. A key with a name (kid) is not taken for a signature with another "
                + "keyid. The exit code is 0 when all is right and 1 when anything is not.",
            "A policy is a JSON object. It must have requiredComponents, an array of identifiers such as \"\\\"@method\\\"\". "
                + "It may have requiredParameters, forbiddenParameters, requiredTag, maximumAge, clockSkew, "
                + "allowedAlgorithms, trustedKeyIdentifiers, minimumDigest, checksContentDigest, checksReprDigest, "
                + "externalOrigin, acceptsStringSignatures, readsTrailers and fieldTypes. Any other member is an error.",
            MessageForms.discussion,
        ],
        options: [
            .file(
                "key",
                "the public key (PEM, certificate or JSON Web Key) or the shared secret",
                isRequired: true
            ),
            .messageAlgorithm, .secretFormat,
            .file(
                "policy",
                "what is demanded, in JSON; without it, a signature that covers nothing passes too"
            ),
            .label, .clock, .fieldType, .answeredRequest, .scheme, .authority,
        ],
        operands: [.message],
        examples: [
            .init(
                purpose: "Verify a message against a policy",
                line: "protection signature verify --key public.pem --policy policy.json signed.http"
            ),
            .init(
                purpose: "Sign and verify with a shared secret",
                line:
                    #"protection signature sign --key secret.hex --secret-format hex --alg hmac-sha256 --components "#
                    + #"'"@method" "@path"' request.http | protection signature verify --key secret.hex "#
                    + "--secret-format hex --alg hmac-sha256 -"
            ),
        ],
        run: SignatureVerify.run
    )
}

/// `signature verify`.
enum SignatureVerify {
    static func run(_ invocation: Invocation) async throws {
        let arguments = invocation.arguments
        let date = try arguments.date("at")
        var policy =
            try arguments["policy"].map { try PolicyFile.read($0, invocation.files) }
            ?? VerificationPolicy(requiredComponents: [])
        try SignatureArguments(invocation).add(to: &policy.fieldTypes)
        let (key, name) = try MessageKeyFile(invocation).verificationKey(try arguments.required("key"))
        let message = try MessageFile(invocation).message
        // After reading: a message that comes through a pipe may have been signed while this command waited for it.
        let now = date ?? invocation.time.secondsSince1970
        let verifier = MessageVerifier(policy: policy, now: { now }) { identifier in
            guard let name, let identifier, identifier != name else { return key }
            throw ToolError(
                .wrongKey,
                "the keyid of the signature is not the name of the key in its file (kid)"
            )
        }
        let verified: VerifiedMessage
        do throws(SignatureError) {
            verified = try verifier.verify(message, label: arguments["label"])
        } catch {
            if let refusal = error.underlying as? ToolError { throw refusal }
            throw error
        }
        guard invocation.console.isJSON else {
            let text = text(verified, now, invocation.console.style)
            let note =
                policy.requiredComponents.isEmpty
                ? "\nno component had to be covered: a policy says which must be" : ""
            return try invocation.console.write(
                "\(invocation.console.style.green("VERIFIED"))\(note)\n\(text)"
            )
        }
        try invocation.console.write(json(verified))
    }

    private static func text(_ verified: VerifiedMessage, _ now: Int64, _ style: TextStyle) -> String {
        var lines = [
            "\(style.bold("label"))      \(verified.label)",
            "\(style.bold("algorithm"))  \(verified.algorithm.rawValue)",
            "\(style.bold("body"))       \(verified.isContentVerified ? "verified" : "not covered")",
        ]
        if verified.components.contains(where: { $0.identifier.name == "repr-digest" }) {
            let isVerified = verified.isRepresentationVerified
            lines.append("\(style.bold("repr"))       \(isVerified ? "verified" : "not compared")")
        }
        lines.append(style.bold("components"))
        lines += verified.components.map { "  \($0.identifier.serialized.escapingControls)" }
        lines.append(style.bold("parameters"))
        for (name, value) in verified.parameters.all {
            // What was parsed always has a form again.
            let shown = (try? value.serialized()) ?? ""
            var line = "  \(name)=\(shown.escapingControls)"
            if name == "created" || name == "expires", let seconds = value.integer, Timestamp.isDate(seconds)
            {
                line += " (\(Timestamp.text(seconds)), \(Timestamp.distance(seconds, from: now)))"
            }
            lines.append(line)
        }
        return lines.joined(separator: "\n")
    }

    private static func json(_ verified: VerifiedMessage) -> JSONValue {
        var parameters = JSONObject()
        for (name, value) in verified.parameters.all {
            parameters[name] = StructuredFieldJSON.bareItem(value)
        }
        return [
            "verified": true,
            "label": .string(verified.label),
            "algorithm": .string(verified.algorithm.rawValue),
            "bodyVerified": .bool(verified.isContentVerified),
            "representationVerified": .bool(verified.isRepresentationVerified),
            "components": .array(verified.components.map { .string($0.identifier.serialized) }),
            "parameters": .object(parameters),
        ]
    }
}

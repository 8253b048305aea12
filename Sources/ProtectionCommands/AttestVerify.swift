import AppAttestation
import Cryptography
import Encodings
import FoundationEssentials
import Timing

extension Command {
    static let attestVerify = Command(
        ["attest", "verify"],
        "verify an attestation or an assertion",
        discussion: [
            "With --key-id the file is an attestation, of App Attest unless --format says otherwise. With --public-key it is an "
                + "assertion, of a key that was attested before. Both are CBOR, or CBOR in Base 64.",
            "A key that this library's client makes vouches for itself alone, and anyone can make one: it is verified with "
                + "--format installation-key only.",
            "Each check is shown with its result, in the order in which they are made; the first that fails is the last. The "
                + "exit code is 0 when all were passed and 1 when one failed.",
            "Leaf certificates of App Attest are in force for some days only: give the time of an older attestation with --at.",
        ],
        options: [
            .appID,
            .value("key-id", "BASE64", "the attested key's identifier"),
            .file("public-key", "the attested key, for an assertion"),
            .file("client-data", "the client data, which are hashed with SHA-256"),
            .value("client-data-hash", "HEX", "their hash, as the client gave it"),
            .value(
                "format",
                "NAME",
                "who vouches for the key of an attestation: Apple (app-attest, the default) or the key itself",
                kind: .choice(AttestVerify.Format.allCases.map(\.rawValue))
            ),
            .value(
                "environment",
                "NAME",
                "the environment of App Attest, by default production",
                kind: .choice(AppAttestEnvironment.allCases.map(\.rawValue))
            ),
            .clock,
            .value("counter", "N", "the stored counter, for an assertion; by default 0"),
            .attestRoot,
        ],
        operands: [.attested("the file with the object")],
        examples: [
            .init(
                purpose: "Verify an attestation of this library's client",
                line: "protection attest verify --app-id org.example.app --key-id \"$(cat key-id.txt)\" "
                    + "--format installation-key --client-data nonce.txt attestation.cbor"
            ),
            .init(
                purpose: "Verify an assertion",
                line: "protection attest verify --app-id org.example.app --public-key attested.pem "
                    + "--client-data nonce.txt --counter 0 - < assertion.b64"
            ),
        ],
        run: AttestVerify.run
    )
}

/// `attest verify`.
enum AttestVerify {
    /// What is asked of an attestation.
    enum Format: String, CaseIterable {
        case appAttest = "app-attest"
        case installationKey = "installation-key"
    }

    static func run(_ invocation: Invocation) async throws {
        let arguments = invocation.arguments
        guard arguments.has("key-id") != arguments.has("public-key") else {
            throw invocation.usage("an attestation needs --key-id, an assertion --public-key")
        }
        let isAssertion = arguments.has("public-key")
        let strays = isAssertion ? ["format", "environment", "at", "root"] : ["counter"]
        for stray in strays where arguments.has(stray) {
            throw invocation.usage("--\(stray) is not for \(isAssertion ? "assertions" : "attestations")")
        }
        try isAssertion ? verifyAssertion(invocation) : verifyAttestation(invocation)
    }

    private static func verifyAttestation(_ invocation: Invocation) throws {
        let (arguments, input) = (invocation.arguments, AttestInput(invocation))
        let keyID: [UInt8]
        let text = try arguments.required("key-id")
        do throws(DecodingFault) { keyID = try Base64.standard.decode(text) } catch {
            throw invocation.usage("--key-id takes Base 64")
        }
        let format = arguments["format"].flatMap(Format.init) ?? .appAttest
        for stray in ["environment", "root"] where arguments.has(stray) && format == .installationKey {
            throw invocation.usage("--\(stray) is not for keys that vouch for themselves")
        }
        let date = try arguments.date("at")
        let hash = try input.clientDataHash()
        let environment = arguments["environment"].flatMap(AppAttestEnvironment.init) ?? .production
        let roots = try input.roots()
        let object = try input.object()
        let now = date ?? invocation.time.secondsSince1970
        let verifier = try AttestationVerifier(
            appIDs: [arguments.required("app-id")],
            formats: [
                format == .installationKey
                    ? InstallationKeyFormat()
                    : AppleAppAttestFormat(environments: [environment], roots: roots)
            ],
            time: TimeSource(
                date: { Date(timeIntervalSince1970: Double(now)) },
                uptime: { .zero },
                sleep: { _ in }
            )
        )
        let checks = format == .installationKey ? AttestCheck.installation : AttestCheck.apple
        let proof: VerifiedAttestation
        do throws(AttestationError) {
            proof = try verifier.verify(object, keyID: keyID, clientDataHash: hash)
        } catch { try fail(invocation, checks, error) }
        var facts = [("kind", "attestation"), ("format", proof.format), ("counter", "0")]
        if format == .installationKey { facts.append(("vouchedBy", "the key itself")) }
        if let environment = proof.key.environment { facts.append(("environment", environment.rawValue)) }
        try show(invocation, checks, facts, proof.key.publicKey.pem)
    }

    private static func verifyAssertion(_ invocation: Invocation) throws {
        let (arguments, input) = (invocation.arguments, AttestInput(invocation))
        let counter = try arguments.integer("counter", in: 0...Int64(UInt32.max)) ?? 0
        let hash = try input.clientDataHash()
        let publicKey = try input.publicKey(arguments.required("public-key"))
        guard publicKey.keyType == .p256 else {
            throw ToolError(.wrongKey, "the key is not one of P-256, as attested keys are")
        }
        let key = AttestedKey(
            keyID: [],
            publicKey: publicKey,
            format: .appleAppAttest,
            appID: try arguments.required("app-id"),
            environment: nil,
            counter: UInt32(clamping: counter)
        )
        let object = try input.object()
        let proof: VerifiedAssertion
        do throws(AttestationError) {
            proof = try AssertionVerifier().verify(object, clientDataHash: hash, key: key)
        } catch { try fail(invocation, AttestCheck.assertion, error) }
        let facts = [("kind", "assertion"), ("counter", "\(proof.counter)")]
        try show(invocation, AttestCheck.assertion, facts, nil)
    }

    private static func show(
        _ invocation: Invocation,
        _ checks: [AttestCheck],
        _ facts: [(String, String)],
        _ pem: String?
    ) throws {
        let results = AttestCheck.results(checks, nil)
        guard invocation.console.isJSON else {
            let style = invocation.console.style
            let lines =
                results.map { $0.text(style) } + [style.green("VERIFIED")]
                + facts.map { "\(style.bold($0.0)) \($0.1)" } + (pem.map { [String($0.dropLast())] } ?? [])
            return try invocation.console.write(lines.joined(separator: "\n"))
        }
        var members = JSONObject()
        members["verified"] = true
        for (name, value) in facts {
            members[name] = name == "counter" ? .integer(Int64(value) ?? 0) : .string(value)
        }
        if let pem { members["publicKey"] = .string(pem) }
        members["checks"] = .array(results.map(\.json))
        try invocation.console.write(.object(members))
    }

    private static func fail(
        _ invocation: Invocation,
        _ checks: [AttestCheck],
        _ error: AttestationError
    ) throws -> Never {
        let (style, results) = (invocation.console.style, AttestCheck.results(checks, error.code))
        let shown = ToolError(error)
        guard invocation.console.isJSON else {
            let lines = results.map { $0.text(style) } + [style.red("REFUSED") + " \(shown)"]
            try invocation.console.write(lines.joined(separator: "\n"))
            throw EarlyEnd(exit: shown.code.exit)
        }
        var members = shown.json.object ?? JSONObject()
        members["verified"] = false
        members["checks"] = .array(results.map(\.json))
        try invocation.console.write(.object(members))
        throw EarlyEnd(exit: shown.code.exit)
    }
}

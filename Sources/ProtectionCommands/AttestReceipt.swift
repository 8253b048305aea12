import AppAttestation
import Cryptography
import Encodings
import FoundationEssentials
import Timing

extension Command {
    static let attestReceipt = Command(
        ["attest", "receipt"],
        "verify and show a receipt of Apple's",
        discussion: [
            "The file is a receipt, in DER or in Base 64 as Apple's server answers, or an attestation that holds one. The "
                + "signature is checked, and that the receipt belongs to the app and key and is in force.",
            "For an attestation the key is the one that it names itself: see that 'attest verify' takes it.",
        ],
        options: [
            .appID, .file("public-key", "the attested key, for a receipt alone"), .clock, .attestRoot,
        ],
        operands: [.attested("the file with the receipt")],
        examples: [
            .init(
                purpose: "Show the receipt of a key",
                line: "protection attest receipt --app-id org.example.app --public-key attested.pem "
                    + "--root receipt-root.pem receipt.der"
            )
        ],
        run: AttestReceipt.run
    )
}

/// `attest receipt`.
enum AttestReceipt {
    static func run(_ invocation: Invocation) async throws {
        let (arguments, input) = (invocation.arguments, AttestInput(invocation))
        let date = try arguments.date("at")
        let roots = try input.roots()
        let octets = try input.object()
        let now = date ?? invocation.time.secondsSince1970
        let verifier = try ReceiptVerifier(
            roots: roots,
            time: TimeSource(
                date: { Date(timeIntervalSince1970: Double(now)) },
                uptime: { .zero },
                sleep: { _ in }
            )
        )
        let (receipt, publicKey) = try parts(of: octets, invocation)
        let key = AttestedKey(
            keyID: [],
            publicKey: publicKey,
            format: .appleAppAttest,
            appID: try arguments.required("app-id"),
            environment: nil,
            counter: 0
        )
        try show(verifier.verify(receipt, key: key), invocation.console, now)
    }

    /// The receipt, and the key that it must belong to.
    private static func parts(
        of octets: [UInt8],
        _ invocation: Invocation
    ) throws -> (receipt: [UInt8], key: PublicKey) {
        let path = invocation.arguments["public-key"]
        // DER begins with the tag of a sequence, an attestation with the head of a map.
        guard octets.first != 0x30 else {
            guard let path else { throw invocation.usage("a receipt alone needs --public-key") }
            return (octets, try AttestInput(invocation).publicKey(path))
        }
        guard path == nil else { throw invocation.usage("--public-key is for a receipt alone") }
        let object = try AttestationObject(octets)
        guard let receipt = object.statement["receipt"]?.byteString else {
            throw AttestationError(.malformedReceipt, "the attestation has no receipt")
        }
        return (receipt, object.credential.key.publicKey)
    }

    private static func show(_ receipt: VerifiedReceipt, _ console: Console, _ now: Int64) throws {
        var members = JSONObject()
        members["verified"] = true
        members["kind"] = .string(receipt.kind.rawValue)
        members["appID"] = .string(receipt.appID)
        if let environment = receipt.environment { members["environment"] = .string(environment) }
        if let metric = receipt.riskMetric { members["riskMetric"] = .integer(Int64(metric)) }
        let dates = [
            ("creationTime", receipt.creationTime), ("notBefore", receipt.notBefore),
            ("expirationTime", receipt.expirationTime),
        ]
        for (name, date) in dates {
            if let date { members[name] = .integer(Int64(date.timeIntervalSince1970)) }
        }
        guard !console.isJSON else { return try console.write(.object(members)) }
        let lines = members.members.dropFirst().map { name, value in
            let text = value.string ?? value.integer.map { shown(name, $0, now) } ?? ""
            return console.style.bold(name) + String(repeating: " ", count: 16 - name.count)
                + text.escapingControls
        }
        try console.write(([console.style.green("VERIFIED")] + lines).joined(separator: "\n"))
    }

    private static func shown(_ name: String, _ number: Int64, _ now: Int64) -> String {
        guard name != "riskMetric", Timestamp.isDate(number) else { return "\(number)" }
        return "\(Timestamp.text(number)) (\(Timestamp.distance(number, from: now)))"
    }
}

import AppAttestation
import Cryptography
import Encodings
import Timing

extension Command {
    static let attestShow = Command(
        ["attest", "show"],
        "show what an attestation or an assertion holds",
        discussion: ["Nothing is verified: every part is what the object says."],
        operands: [.attested("the file with the object")],
        examples: [
            .init(purpose: "Show an attestation", line: "protection attest show attestation.cbor"),
            .init(purpose: "Show an assertion as JSON", line: "protection attest show --json assertion.b64"),
        ],
        run: AttestShow.run
    )
}

/// `attest show`.
enum AttestShow {
    static func run(_ invocation: Invocation) async throws {
        let octets = try AttestInput(invocation).object()
        let rows = try isAssertion(octets) ? assertion(octets) : attestation(octets)
        guard invocation.console.isJSON else {
            let style = invocation.console.style
            let names = rows.map(\.name.escapingControls)
            let width = (names.map(\.count).max() ?? 0) + 2
            let lines = zip(names, rows).map { name, row in
                style.bold(name) + String(repeating: " ", count: width - name.count)
                    + row.value.escapingControls
            }
            return try invocation.console.write(lines.joined(separator: "\n"))
        }
        var members = JSONObject()
        members["verified"] = false
        for row in rows { members[row.name] = row.json }
        try invocation.console.write(.object(members))
    }

    private struct Row {
        let name: String
        let value: String
        let json: JSONValue

        init(_ name: String, _ value: String) {
            (self.name, self.value, json) = (name, value, .string(value))
        }

        init(_ name: String, _ number: some BinaryInteger) {
            (self.name, value, json) = (name, "\(number)", .integer(Int64(clamping: number)))
        }
    }

    private static func isAssertion(_ octets: [UInt8]) throws -> Bool {
        let value: CBORValue
        do throws(CBORFault) { value = try CBORValue(decoding: octets) } catch {
            throw AttestationError(.malformedObject, "the object is not strict CBOR", underlying: error)
        }
        return value["signature"] != nil && value["fmt"] == nil
    }

    private static func assertion(_ octets: [UInt8]) throws -> [Row] {
        guard let value = try? CBORValue(decoding: octets), let data = value["authenticatorData"]?.byteString,
            let signature = value["signature"]?.byteString
        else {
            throw AttestationError(.malformedObject, "the assertion does not have its members")
        }
        return [Row("kind", "assertion"), Row("signature", Hex.encode(signature))]
            + (try rows(AuthenticatorData(assertion: data)))
    }

    private static func attestation(_ octets: [UInt8]) throws -> [Row] {
        let object = try AttestationParts(octets)
        var rows = [Row("kind", "attestation"), Row("format", object.format)]
        for member in object.statement.members ?? [] {
            guard let name = member.key.textString else { continue }
            rows += Self.rows(name, member.value)
        }
        rows += try Self.rows(object.authenticatorData)
        rows += [
            Row("aaguid", Hex.encode(object.aaguid)), Row("authenticator", name(of: object.aaguid)),
            Row("credentialID", Base64.standard.encode(object.credentialID)),
        ]
        return rows + key(object.key)
    }

    /// The key in its usual form, or what stands in the place of one that this library does not know.
    private static func key(_ value: CBORValue) -> [Row] {
        if let key = try? COSEKey(value) {
            return [Row("publicKey", Base64.standard.encode(key.publicKey.spkiDER))]
        }
        var rows = [Row("publicKey", "of a kind that is not supported")]
        if let type = value[1]?.integer { rows.append(Row("keyType", type)) }
        if let algorithm = value[3]?.integer { rows.append(Row("keyAlgorithm", algorithm)) }
        return rows + [Row("coseKey", Hex.encode(CBORWriter.encode(value)))]
    }

    private static func rows(_ name: String, _ value: CBORValue) -> [Row] {
        if name == "x5c", let elements = value.elements {
            return elements.enumerated().flatMap { index, element in
                certificate("certificate \(index + 1)", element.byteString ?? [])
            }
        }
        if let octets = value.byteString {
            // A receipt is a few thousand octets, and has a command of its own.
            return [
                octets.count > 128
                    ? Row("\(name) octets", octets.count) : Row(name, Hex.encode(octets))
            ]
        }
        if let number = value.integer { return [Row(name, number)] }
        return [Row(name, value.textString ?? "not shown")]
    }

    private static func certificate(_ name: String, _ der: [UInt8]) -> [Row] {
        guard let certificate = try? Certificate(der: der) else { return [Row(name, "not a certificate")] }
        return [
            Row("\(name)", certificate.subject), Row("\(name) issuer", certificate.issuer),
            Row("\(name) from", date(certificate.notBefore)), Row("\(name) to", date(certificate.notAfter)),
        ]
    }

    private static func rows(_ data: AuthenticatorData) throws -> [Row] {
        var rows = [
            Row("appIDHash", Hex.encode(data.relyingPartyIDHash)), Row("flags", Hex.encode([data.flags])),
            Row("counter", data.counter),
        ]
        let extensions = try AppAttestExtensions(data.extensions)
        if let version = extensions.bundleVersion { rows.append(Row("bundleVersion", version)) }
        if let category = extensions.validationCategory {
            rows.append(Row("validationCategory", category.rawValue))
        }
        return rows
    }

    private static func name(of aaguid: [UInt8]) -> String {
        let environment = AppAttestEnvironment.allCases.first { $0.aaguid == aaguid }
        if let environment { return "App Attest, \(environment.rawValue)" }
        return aaguid == InstallationKeyFormat.aaguid ? "this library's client" : "unknown"
    }

    private static func date(_ seconds: Int64) -> String {
        Timestamp.isDate(seconds) ? Timestamp.text(seconds) : "\(seconds)"
    }
}

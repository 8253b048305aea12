import AppAttestation
import Cryptography
import Encodings
import JSONWebTokens

/// What the commands for attestations are given.
struct AttestInput {
    private let invocation: Invocation

    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    /// The form that the command's object has where it is not text.
    private var binary: String { invocation.command.path.last == "receipt" ? "DER or CBOR" : "CBOR" }

    /// The octets of an object: CBOR or DER as it is, or in Base 64 of either alphabet.
    func object() throws -> [UInt8] {
        let path = invocation.arguments.operands[0]
        var octets = try invocation.files.read(path, "the object", limit: 256 << 10, trust: .any)
        // Neither a map of CBOR nor a sequence of DER begins with a character of Base 64 and goes on with such alone.
        guard !octets.isEmpty, octets.allSatisfy({ $0 < 0x80 }) else { return octets }
        if octets.last == UInt8(ascii: "\n") { octets.removeLast() }
        if octets.last == UInt8(ascii: "\r") { octets.removeLast() }
        let isURL = octets.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        do throws(DecodingFault) {
            return try (isURL ? Base64.url : Base64.standard).decode(octets)
        } catch {
            let name =
                path == "-"
                ? "the object of standard input" : "the object \(path.escapingControls.quotedForShell)"
            throw ToolError(
                ToolError(error).code,
                "\(name) is neither \(binary) nor Base 64",
                at: error.offset
            )
        }
    }

    /// The hash that the client signed or had attested.
    func clientDataHash() throws -> [UInt8] {
        let arguments = invocation.arguments
        try arguments.exclude("client-data", "client-data-hash")
        if let path = arguments["client-data"] {
            let data = try invocation.files.read(path, "the client data", limit: 16 << 20, trust: .any)
            return try HashAlgorithm.sha256.hash(data)
        }
        guard let hash = arguments["client-data-hash"] else {
            throw invocation.usage("either --client-data or --client-data-hash is needed")
        }
        do throws(DecodingFault) { return try Hex.decode(hash) } catch {
            throw invocation.usage("--client-data-hash takes hexadecimal digits")
        }
    }

    /// The roots that stand for Apple's; nil for Apple's own.
    func roots() throws -> [Certificate]? {
        guard let path = invocation.arguments["root"] else { return nil }
        let octets = try invocation.files.read(path, "the root", limit: 64 << 10, trust: .readableByOthers)
        guard let text = String(validating: octets, as: UTF8.self) else {
            throw ToolError(.notText, "the root is not text in UTF-8")
        }
        return [try Certificate(pem: text)]
    }

    func publicKey(_ path: String) throws -> PublicKey {
        guard let key = try KeyFile(invocation, algorithm: nil).verifyingKey(path).publicKey else {
            throw ToolError(.unknownKeyForm, "the key is a secret, which signs no assertions")
        }
        return key
    }
}

extension CommandOption {
    static let appID = value(
        "app-id",
        "ID",
        "the app: prefix, dot and bundle identifier",
        isRequired: true
    )
    static let attestRoot = file("root", "a root of trust in PEM, in the place of Apple's")
}

extension Command.Operand {
    static func attested(_ what: String) -> Command.Operand {
        Command.Operand(name: "FILE", kind: .file, summary: "\(what), or - for standard input")
    }
}

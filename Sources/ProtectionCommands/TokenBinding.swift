import Cryptography
import Encodings
import HTTPMessages

/// The value that a token is bound to, from a file or the environment.
struct TokenBinding: Sendable {
    /// The `pay` claim: the SHA-256 of the value in standard Base 64.
    let claim: String

    /// Takes the value that the options name, or answers nil when there is none.
    init?(_ invocation: Invocation) throws {
        try invocation.arguments.exclude("bind-header-file", "bind-env")
        let value: String
        if let path = invocation.arguments["bind-header-file"] {
            value = try invocation.files.readLine(path, "the bound value", limit: 64 << 10, trust: .secret)
        } else if let name = invocation.arguments["bind-env"] {
            value = try invocation.files.variable(name)
        } else {
            return nil
        }
        // A server compares what a field can hold.
        let field: HTTPField
        do throws(HTTPMessageError) { field = try HTTPField(.authorization, value) } catch {
            throw ToolError(
                ToolError(error).code,
                "the bound value is none that a field can have: \(error.message)"
            )
        }
        claim = Base64.standard.encode(try HashAlgorithm.sha256.hash(field.bytes))
    }

    /// Whether a claim is this binding; compared in constant time.
    func matches(_ other: String?) -> Bool {
        guard let other else { return false }
        return ConstantTime.equal(Array(claim.utf8), Array(other.utf8))
    }
}

extension CommandOption {
    static let bindHeaderFile = file(
        "bind-header-file",
        "the file holds the field value that the token is bound to, in one line"
    )
    static let bindVariable = value(
        "bind-env",
        "VAR",
        "the environment variable holds the field value that the token is bound to"
    )
}

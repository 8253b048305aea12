import HTTPMessages

/// The option `pin`: a host, or a pattern of hosts, and the hash of a key.
enum PinOption {
    /// The pins of a command line; those of one host stand together, and a host `*` is every other one.
    static func policy(_ invocation: Invocation) throws(ToolError) -> PinningPolicy {
        var policy = PinningPolicy()
        for text in invocation.arguments[all: "pin"] {
            guard let equals = text.firstIndex(of: "="),
                let pin = try? PublicKeyPin(parsing: String(text[text.index(after: equals)...]))
            else {
                throw invocation.usage("--pin takes a host, = and the Base 64 of 32 octets")
            }
            guard text[..<equals] != "*" else {
                policy.others = PinSet((policy.others?.pins ?? []) + [pin])
                continue
            }
            do throws(HTTPMessageError) {
                let host = try HostPattern(String(text[..<equals]))
                policy[host] = PinSet((policy[host]?.pins ?? []) + [pin])
            } catch {
                throw invocation.usage("--pin: \(error.message)")
            }
        }
        return policy
    }
}

extension CommandOption {
    static let pin = value(
        "pin",
        "HOST=SHA256",
        "a pin for a host, or with * for all other hosts: the SHA-256 of a SubjectPublicKeyInfo in Base 64",
        isRepeatable: true
    )
}

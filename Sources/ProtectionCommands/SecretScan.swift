/// Finds secrets on the command line, where every user of the machine can read them.
///
/// It knows those that can be told by their form; the request command refuses credentials by their field's name.
enum SecretScan {
    /// Refuses arguments that hold a token, a private key or a secret key.
    ///
    /// - Throws: ``ToolError`` with code `secretOnCommandLine`; it does not repeat the argument.
    static func check(_ arguments: [String]) throws(ToolError) {
        for argument in arguments {
            if holdsToken(argument) {
                throw refusal(
                    "a token",
                    "put it in a file and name the file, or send it to standard input as -"
                )
            }
            if argument.contains("PRIVATE KEY-----") {
                throw refusal("a private key", "name the file that holds it")
            }
            if argument.contains(#""kty""#), argument.contains(#""d""#) || argument.contains(#""k""#) {
                throw refusal("a secret key", "name the file that holds it")
            }
        }
    }

    private static func refusal(_ what: String, _ remedy: String) -> ToolError {
        ToolError(
            .secretOnCommandLine,
            "\(what) stands on the command line, where all users of this machine can read it: \(remedy)"
        )
    }

    /// Whether a run of characters is a JWT: it starts as a JSON object does in base64url and has two dots.
    private static func holdsToken(_ argument: String) -> Bool {
        let runs = argument.utf8.split { octet in
            switch octet {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."):
                false
            default: true
            }
        }
        return runs.contains { run in
            run.starts(with: "eyJ".utf8) && run.count { $0 == UInt8(ascii: ".") } >= 2
        }
    }
}

import Encodings
import MessageSignatures

extension Command {
    static let digest = Command(
        ["digest"],
        "make or check a Content-Digest",
        discussion: [
            "The digest of RFC 9530 of a file of any size, which is read in pieces. With --check every digest that is "
                + "known must be the one of the file, and one of sha-256 or sha-512 must be there; the exit code is 1 otherwise."
        ],
        options: [
            .value("alg", "LIST", "sha-256, sha-512 or both with a comma, by default sha-256"),
            .value("check", "VALUE", "the field value to check the file against"),
        ],
        operands: [
            .init(name: "FILE", kind: .file, summary: "the file, or - for standard input")
        ],
        examples: [
            .init(purpose: "Make both digests", line: "protection digest --alg sha-256,sha-512 body.json"),
            .init(
                purpose: "Check a file that comes through a pipe",
                line: #"cat body.json | protection digest --check "$(protection digest body.json)" -"#
            ),
        ],
        run: DigestCommand.run
    )
}

/// `digest`.
enum DigestCommand {
    static func run(_ invocation: Invocation) async throws {
        let console = invocation.console
        guard let value = invocation.arguments["check"] else {
            let text = try accumulate(algorithms(invocation), invocation).finish().serialized
            guard console.isJSON else { return try console.write(text) }
            return try console.write(["digest": .string(text)])
        }
        try invocation.arguments.exclude("alg", "check")
        let field = try DigestField(parsing: Array(value.utf8))
        try accumulate(Set(field.digests.keys), invocation).check(field)
        let names = field.digests.keys.sorted().map(\.rawValue)
        guard console.isJSON else {
            return try console.write("\(console.style.green("VERIFIED")) \(names.joined(separator: ", "))")
        }
        try console.write(["verified": true, "algorithms": .array(names.map { .string($0) })])
    }

    private static func algorithms(_ invocation: Invocation) throws(ToolError) -> Set<DigestAlgorithm> {
        let names = (invocation.arguments["alg"] ?? "sha-256").split(
            separator: ",",
            omittingEmptySubsequences: false
        )
        let algorithms = Set(names.compactMap { DigestAlgorithm(rawValue: String($0)) })
        guard algorithms.count == names.count else {
            throw invocation.usage("--alg takes sha-256, sha-512 or both with a comma")
        }
        return algorithms
    }

    private static func accumulate(
        _ algorithms: Set<DigestAlgorithm>,
        _ invocation: Invocation
    ) throws -> DigestAccumulator {
        var accumulator = try DigestAccumulator.start(using: algorithms)
        try invocation.files.readPieces(invocation.arguments.operands[0], "the file") { piece in
            try accumulator.update(piece)
        }
        return accumulator
    }
}

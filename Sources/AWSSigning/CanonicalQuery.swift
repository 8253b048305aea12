/// The query of a canonical request: parameters decoded, encoded in the one canonical way, and sorted.
struct CanonicalQuery {
    private struct Parameter {
        let name: [UInt8]
        let value: [UInt8]
    }

    /// The parameters that a signature in the URL has.
    static let signatureNames: [StaticString] = [
        "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires", "X-Amz-SignedHeaders",
        "X-Amz-Signature", "X-Amz-Security-Token", "X-Amz-Region-Set",
    ]

    private var parameters: [Parameter] = []

    /// Reads the query of a request that is not signed yet.
    ///
    /// - Throws: ``AWSSigningError`` with code `ambiguousQuery` for a bare `+`, `alreadySigned` for a parameter of a
    ///   signature.
    init(_ query: String?) throws(AWSSigningError) {
        guard let query else { return }
        for piece in query.utf8.split(separator: UInt8(ascii: "&")) {
            guard !piece.contains(UInt8(ascii: "+")) else {
                throw AWSSigningError(
                    .ambiguousQuery,
                    "the query has a bare +: write %20 for a blank and %2B for a plus"
                )
            }
            let end = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
            var name: [UInt8] = []
            URIEncoding.appendCanonical(piece[..<end], to: &name)
            var value: [UInt8] = []
            if end < piece.endIndex {
                URIEncoding.appendCanonical(piece[piece.index(after: end)...], to: &value)
            }
            guard !Self.isOfSignature(name) else {
                throw AWSSigningError(.alreadySigned, "the URL has a parameter of a signature already")
            }
            parameters.append(Parameter(name: name, value: value))
        }
    }

    /// Adds a parameter whose name and value are encoded already.
    mutating func append(name: String, encoded value: some Sequence<UInt8>) {
        parameters.append(Parameter(name: Array(name.utf8), value: Array(value)))
    }

    /// Appends the sorted parameters; names are compared first, so `a` stands before `a-b` whatever their values.
    func append(to output: inout [UInt8]) {
        let sorted = parameters.sorted { left, right in
            left.name == right.name
                ? left.value.lexicographicallyPrecedes(right.value)
                : left.name.lexicographicallyPrecedes(right.name)
        }
        for (index, parameter) in sorted.enumerated() {
            if index > 0 { output.append(UInt8(ascii: "&")) }
            output.append(contentsOf: parameter.name)
            output.append(UInt8(ascii: "="))
            output.append(contentsOf: parameter.value)
        }
    }

    private static func isOfSignature(_ name: [UInt8]) -> Bool {
        name.count >= 10 && name[0] | 0x20 == UInt8(ascii: "x")
            && signatureNames.contains { name.elementsEqual($0.description.utf8) }
    }
}

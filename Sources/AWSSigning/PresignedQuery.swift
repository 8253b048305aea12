/// The parameters that a signature adds to a URL, in the order in which they are written.
struct PresignedQuery {
    struct Parameter {
        let name: String
        /// Encoded.
        let value: [UInt8]
    }

    static let tokenName = "X-Amz-Security-Token"

    private var parameters: [Parameter] = []

    mutating func append(_ name: String, _ value: some Sequence<UInt8>) {
        var encoded: [UInt8] = []
        URIEncoding.append(value, to: &encoded)
        parameters.append(Parameter(name: name, value: encoded))
    }

    /// The parameters that are signed.
    func signed(withToken: Bool) -> [Parameter] {
        parameters.filter { withToken || $0.name != Self.tokenName }
    }

    /// The whole query: what was there, the parameters, and the signature.
    func text(after query: String?, signature: [UInt8]) -> String {
        var output: [UInt8] = []
        if let query, !query.isEmpty {
            output.append(contentsOf: query.utf8)
            output.append(UInt8(ascii: "&"))
        }
        for parameter in parameters {
            output.append(contentsOf: parameter.name.utf8)
            output.append(UInt8(ascii: "="))
            output.append(contentsOf: parameter.value)
            output.append(UInt8(ascii: "&"))
        }
        output.append(contentsOf: "X-Amz-Signature=".utf8)
        output.append(contentsOf: signature)
        return String(decoding: output, as: UTF8.self)
    }
}

import MessageSignatures
import StructuredFields

/// What the options of the signature commands say.
struct SignatureArguments {
    private let invocation: Invocation

    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    private var arguments: ParsedArguments { invocation.arguments }

    /// The components of `--components`: the content of an inner list, as it stands in Signature-Input.
    func components() throws -> [ComponentIdentifier] {
        let text = try arguments.required("components")
        let parser = StructuredFieldParser(duplicateKeys: .reject)
        guard let list = try? FieldList(parsing: "(\(text))", with: parser), list.members.count == 1,
            let inner = list.members[0].innerList, inner.parameters.isEmpty
        else {
            throw invocation.usage(
                #"--components takes identifiers in quotes with spaces between them: '"@method" "@path"'"#
            )
        }
        return try inner.items.map { item in
            guard let name = item.bareItem.string else {
                throw invocation.usage("a component is named by a string in quotes")
            }
            do {
                return try ComponentIdentifier(name, parameters: item.parameters)
            } catch { throw invocation.usage("--components: \(error)".escapingControls) }
        }
    }

    /// The parameters, in the order of the library's signer.
    func parameters(
        at now: Int64,
        algorithm: String?,
        keyIdentifier: String?
    ) throws -> SignatureParameters {
        var pairs: [(String, BareItem)] = []
        if arguments["created"] != "none" {
            pairs.append(("created", .integer(try arguments.date("created") ?? now)))
        }
        if let expires = try arguments.date("expires") { pairs.append(("expires", .integer(expires))) }
        if let nonce = arguments["nonce"] { pairs.append(("nonce", .string(nonce))) }
        if let algorithm { pairs.append(("alg", .string(algorithm))) }
        if let keyIdentifier { pairs.append(("keyid", .string(keyIdentifier))) }
        if let tag = arguments["tag"] { pairs.append(("tag", .string(tag))) }
        return try SignatureParameters(pairs)
    }

    /// Adds the types of `--field-type` to those that are known.
    func add(to types: inout FieldTypes) throws {
        for text in arguments[all: "field-type"] {
            let parts = text.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, let kind = FieldTypes.Kind(name: String(parts[1]))
            else {
                throw invocation.usage("--field-type takes a name and item, list or dictionary: x=list")
            }
            types[String(parts[0])] = kind
        }
    }
}

extension FieldTypes.Kind {
    init?(name: String) {
        switch name {
        case "item": self = .item
        case "list": self = .list
        case "dictionary": self = .dictionary
        default: return nil
        }
    }
}

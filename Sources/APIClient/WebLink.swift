public import HTTPMessages

/// A link of a `Link` field (RFC 8288).
public struct WebLink: Sendable, Hashable {
    /// The target as it was written: a URI reference, to be resolved against the request's URL.
    public let target: String
    /// The relation types, in lower case.
    public let relations: [String]
    /// What the link starts from, where that is not the resource that was asked for.
    public let anchor: String?
    /// The parameters in their order, with names in lower case and values unquoted.
    public let parameters: [QueryItem]

    init(target: String, parameters: [QueryItem]) {
        self.target = target
        self.parameters = parameters
        // The first counts where a parameter stands twice (RFC 8288, appendix B.3).
        let relation = parameters.first { $0.name == "rel" }?.value ?? ""
        relations = relation.split(whereSeparator: { $0 == " " || $0 == "\t" }).map { $0.lowercased() }
        anchor = parameters.first { $0.name == "anchor" }?.value
    }

    /// The links of a message, in the order of their fields.
    ///
    /// - Throws: ``APIError`` with code `pagination` for a field that is not in the form of RFC 8288, section 3.
    public static func links(in fields: HTTPFields) throws(APIError) -> [WebLink] {
        var links: [WebLink] = []
        for value in fields[values: "Link"] {
            var parser = LinkParser(value)
            links += try parser.readLinks()
        }
        return links
    }
}

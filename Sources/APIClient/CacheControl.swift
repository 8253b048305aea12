import HTTPMessages

/// The directives of `Cache-Control` (RFC 9111, section 5.2), by their names alone.
struct CacheControl {
    private let names: Set<String>

    init(_ fields: HTTPFields) {
        names = Self.members(of: "Cache-Control", in: fields)
    }

    func contains(_ name: String) -> Bool { names.contains(name) }

    /// The members of a comma-separated list in lower case, without what follows a `=`.
    ///
    /// A comma in a quoted value gives names that are none, which only makes the reader more careful.
    static func members(of name: HTTPField.Name, in fields: HTTPFields) -> Set<String> {
        let members = (fields[name] ?? "").split(separator: ",").map { member in
            let name =
                member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
            return name.filter { $0 != " " && $0 != "\t" && $0 != "\"" }.lowercased()
        }
        return Set(members)
    }
}

import HTTPMessages

/// An account of Cloudflare R2, whose hosts are all that a signature of `--r2` may be for.
struct R2Account: Sendable {
    private static let domain = "r2.cloudflarestorage.com"
    private static let jurisdictions = ["eu", "fedramp"]

    private let name: String

    /// Takes the identifier; nil for what cannot be a part of a host.
    init?(_ name: String) {
        let isPart: (UInt8) -> Bool = { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
        guard (1...63).contains(name.utf8.count), name.utf8.allSatisfy(isPart) else { return nil }
        self.name = name
    }

    /// The host of the account's buckets that are held anywhere.
    var authority: String { "\(name).\(Self.domain)" }

    /// Refuses a request for another host than the account's.
    ///
    /// - Throws: ``ToolError`` with code `wrongHost`.
    func check(_ target: RequestTarget) throws(ToolError) {
        let hosts = [authority] + Self.jurisdictions.map { "\(name).\($0).\(Self.domain)" }
        guard hosts.contains(where: { target.authority == $0 || target.authority.hasSuffix(".\($0)") }) else {
            throw ToolError(.wrongHost, "the request is not for a host of the account of --r2")
        }
    }
}

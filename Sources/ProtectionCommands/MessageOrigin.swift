import HTTPMessages
import MessageSignatures

/// What the first line of a request leaves open: its scheme, and its authority unless `Host` says it.
struct MessageOrigin: Sendable {
    let scheme: String?
    let authority: String?
    /// The authority of a request that has no `Host`.
    let fallback: String?

    init(_ arguments: ParsedArguments, fallback: String? = nil) {
        scheme = arguments["scheme"]
        authority = arguments["authority"]
        self.fallback = fallback
    }

    /// Refuses the options for a message that holds its whole URL.
    func checkAbsent() throws(ToolError) {
        guard scheme == nil, authority == nil else {
            throw ToolError(
                .usage,
                "the message holds its whole URL: --scheme and --authority do not go with it"
            )
        }
    }

    /// The target URI of a request (RFC 9112, section 3.3).
    func target(
        _ requestTarget: String,
        method: HTTPMethod,
        fields: [FieldLine]
    ) throws -> SignableTarget {
        if requestTarget.contains("#") {
            throw ToolError(.malformedMessage, "the target of the request holds a fragment")
        }
        if method.rawValue == "CONNECT" {
            let origin = try ExternalOrigin("\(scheme ?? "https")://\(requestTarget)")
            return try SignableTarget("\(origin.scheme)://\(requestTarget)")
        }
        guard requestTarget.hasPrefix("/") || requestTarget == "*" else {
            try checkAbsent()
            return try SignableTarget(requestTarget)
        }
        guard requestTarget != "*" || method == .options else {
            throw ToolError(.malformedMessage, "the target * is for OPTIONS only")
        }
        let origin = "\(scheme ?? "https")://\(try authority ?? host(fields))"
        // What is more than an origin would become a part of the path.
        _ = try ExternalOrigin(origin)
        return try SignableTarget(requestTarget == "*" ? origin : origin + requestTarget)
    }

    private func host(_ fields: [FieldLine]) throws(ToolError) -> String {
        let hosts = fields.filter { $0.name == "host" }
        if hosts.isEmpty, let fallback { return fallback }
        guard let host = hosts.first, hosts.count == 1 else {
            throw ToolError(
                .malformedMessage,
                hosts.isEmpty
                    ? "the request has no Host: --authority says where it goes"
                    : "the request has more than one Host"
            )
        }
        return String(decoding: host.canonicalValue(.http1), as: UTF8.self)
    }
}

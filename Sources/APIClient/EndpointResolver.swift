import Encodings
import HTTPMessages

/// Joins an endpoint to the base URL of an API, or refuses it.
struct EndpointResolver {
    let base: RequestTarget?

    func target(of endpoint: APIEndpoint, items: [QueryItem]) throws(APIError) -> RequestTarget {
        let target: RequestTarget
        switch endpoint.form {
        case .invalid(let fault): throw APIError(.invalidURL, fault)
        case .target(let checked): target = checked
        case .text(let text): target = try resolve(text)
        }
        guard !items.isEmpty else { return target }
        let queries = [target.query, QueryItem.query(items)].compactMap(\.self).filter { !$0.isEmpty }
        return try Self.checked { () throws(HTTPMessageError) in
            try target.replacingQuery(queries.joined(separator: "&"))
        }
    }

    private func resolve(_ text: String) throws(APIError) -> RequestTarget {
        guard !text.utf8.contains(UInt8(ascii: "#")) else {
            throw APIError(.invalidURL, "the path holds a fragment, which is never sent")
        }
        try Self.checkSegments(of: text)
        if ["http://", "https://"].contains(where: text.lowercased().hasPrefix) {
            return try absolute(text)
        }
        guard let base else { throw APIError(.invalidURL, "there is no base URL for a path") }
        let path = text.prefix { $0 != "?" }
        guard !path.hasPrefix("//") else { throw APIError(.invalidURL, "the path starts with another host") }
        let first = path.prefix { $0 != "/" }
        guard !first.contains(":") else { throw APIError(.invalidURL, "the path starts with a scheme") }
        let folder = base.path.hasSuffix("/") ? String(base.path.dropLast()) : base.path
        let separator = path.isEmpty || path.hasPrefix("/") ? "" : "/"
        return try Self.checked { () throws(HTTPMessageError) in
            try RequestTarget("\(base.scheme)://\(base.authority)\(folder)\(separator)\(text)")
        }
    }

    /// A whole URL, which must be the base or below it where there is one.
    private func absolute(_ text: String) throws(APIError) -> RequestTarget {
        let target = try Self.checked { () throws(HTTPMessageError) in try RequestTarget(text) }
        guard let base else { return target }
        let folder = base.path.hasSuffix("/") ? base.path : base.path + "/"
        guard target.origin == base.origin, target.path == base.path || target.path.hasPrefix(folder) else {
            throw APIError(.invalidURL, "the URL is not below the base URL")
        }
        return target
    }

    /// Refuses dot segments, escaped ones too: servers resolve them before or after they decode.
    private static func checkSegments(of text: String) throws(APIError) {
        let path = Array(text.utf8.prefix { $0 != UInt8(ascii: "?") })
        var decoded: [UInt8] = []
        var index = 0
        while index < path.count {
            if path[index] == UInt8(ascii: "%"), index + 2 < path.count,
                let high = Hex.value(of: path[index + 1]),
                let low = Hex.value(of: path[index + 2])
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(path[index])
                index += 1
            }
        }
        let segments = decoded.split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
        }
        guard !segments.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) else {
            throw APIError(.invalidURL, "the path holds a dot segment")
        }
    }

    private static func checked(
        _ body: () throws(HTTPMessageError) -> RequestTarget
    ) throws(APIError) -> RequestTarget {
        do throws(HTTPMessageError) { return try body() } catch {
            throw APIError(.invalidURL, "the URL cannot be sent", underlying: error)
        }
    }
}

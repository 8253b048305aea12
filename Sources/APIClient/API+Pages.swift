import HTTPInterceptors
import HTTPMessages

extension API {
    /// The pages that `Link` fields with the relation `next` lead to (RFC 8288).
    ///
    /// The target is read at the URL that answered, after redirects. It must be at the same origin, because the headers of
    /// the call go along, unless the rules allow another. A link that starts from another resource (`anchor`) is ignored.
    ///
    /// ```swift
    /// for try await shapes in api.pages(of: [Shape].self, from: APIRequest(.get, "/shapes")) { show(shapes) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: What a page holds.
    ///   - request: The call for the first page.
    ///   - rules: How far it goes, and where.
    /// - Returns: The sequence; nothing is asked for before it is read.
    public func pages<Page: Decodable & Sendable>(
        of type: Page.Type = Page.self,
        from request: APIRequest,
        rules: PageRules = PageRules()
    ) -> PageSequence<Page> {
        PageSequence(api: self, first: request, rules: rules) { _, response, current throws(APIError) in
            try self.linked(from: response, current, first: request, rules)
        }
    }

    /// The pages that a cursor in each page leads to.
    ///
    /// ```swift
    /// let pages = api.pages(of: ShapePage.self, from: APIRequest(.get, "/shapes"), cursor: { $0.next })
    /// for try await shape in pages.elements({ $0.shapes }) { show(shape) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: What a page holds.
    ///   - request: The call for the first page.
    ///   - parameter: The name of the query item that gives the cursor.
    ///   - rules: How far it goes.
    ///   - cursor: The cursor of the page after one; nil or empty at the last page.
    /// - Returns: The sequence; nothing is asked for before it is read.
    public func pages<Page: Decodable & Sendable>(
        of type: Page.Type = Page.self,
        from request: APIRequest,
        parameter: String = "cursor",
        rules: PageRules = PageRules(),
        cursor: @escaping @Sendable (Page) -> String?
    ) -> PageSequence<Page> {
        PageSequence(api: self, first: request, rules: rules) { page, _, _ throws(APIError) in
            guard let cursor = cursor(page), !cursor.isEmpty else { return nil }
            var next = request
            next.queryItems.removeAll { $0.name == parameter }
            next.queryItems.append(QueryItem(parameter, cursor))
            return next
        }
    }

    private func linked(
        from response: HTTPResponse,
        _ current: APIRequest,
        first: APIRequest,
        _ rules: PageRules
    ) throws(APIError) -> APIRequest? {
        let links = try WebLink.links(in: response.fields)
            .filter { $0.anchor == nil && $0.relations.contains("next") }
        guard let link = links.first else { return nil }
        guard links.allSatisfy({ $0.target == link.target }) else {
            throw APIError(.pagination, "there are several next pages")
        }
        let here = if let answering = response.target { answering } else { try target(of: current) }
        let reference = URLReference(link.target)
        let whole = reference.scheme.map { ["http", "https"].contains($0.lowercased()) } ?? true
        guard whole, let next = reference.resolved(against: here) else {
            throw APIError(.pagination, "the next page is at no URL that can be requested")
        }
        let origin = try target(of: first).origin
        let allowed = rules.allowedOrigins.compactMap { (try? RequestTarget($0))?.origin }
        guard next.origin == origin || allowed.contains(next.origin) else {
            throw APIError(.pagination, "the next page is at another origin")
        }
        var request = first
        request.endpoint = APIEndpoint(target: next)
        // The link's query is all there is to ask for.
        request.queryItems = []
        request.parameters = nil
        return request
    }
}

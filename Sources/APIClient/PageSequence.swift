import HTTPMessages

/// The pages of a long list, each asked for when it is wanted.
///
/// It can be read several times, and asks the server again each time.
public struct PageSequence<Page: Decodable & Sendable>: AsyncSequence, Sendable {
    /// What a page holds.
    public typealias Element = Page
    /// What a call throws.
    public typealias Failure = APIError

    /// Gives the call for the page after one; nil at the end.
    typealias Next = @Sendable (Page, HTTPResponse, APIRequest) throws(APIError) -> APIRequest?

    let api: API
    let first: APIRequest
    let rules: PageRules
    let next: Next

    /// Starts at the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(sequence: self, request: first)
    }

    /// The elements of all pages, one after the other.
    ///
    /// - Parameter elements: Gives the elements of a page.
    /// - Returns: The sequence; nothing is asked for before it is read.
    public func elements<Elements: Sequence & Sendable>(
        _ elements: @escaping @Sendable (Page) -> Elements
    ) -> PageElements<Page, Elements> {
        PageElements(pages: self, elements: elements)
    }

    /// Asks for one page after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let sequence: PageSequence
        var request: APIRequest?
        var visited: Set<String> = []

        init(sequence: PageSequence, request: APIRequest) {
            self.sequence = sequence
            self.request = request
        }

        /// The next page, or nil after the last; after an error there is none.
        ///
        /// - Throws: ``APIError``: that of the call, or the code `pagination` when pages form a loop, lead to another origin,
        ///   are more than allowed or are linked by a malformed field.
        public mutating func next() async throws(APIError) -> Page? {
            guard let request else { return nil }
            self.request = nil
            guard visited.count < sequence.rules.maximumCount else {
                throw APIError(.pagination, "there are more than \(sequence.rules.maximumCount) pages")
            }
            guard visited.insert(try sequence.api.target(of: request).absoluteString).inserted else {
                throw APIError(.pagination, "the pages form a loop")
            }
            let (_, response) = try await sequence.api.perform(request)
            let page = try ResponseDecoder.decode(Page.self, from: response, with: sequence.api.coders)
            self.request = try sequence.next(page, response, request)
            return page
        }

        /// The next page, or nil after the last.
        ///
        /// - Throws: As ``next()``.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(APIError) -> Page? {
            try await next()
        }
    }
}

extension PageSequence where Page: Sequence {
    /// The elements of all pages, one after the other.
    public var elements: PageElements<Page, Page> { elements { $0 } }
}

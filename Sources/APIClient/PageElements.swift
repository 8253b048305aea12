/// The elements of the pages of a long list; a page is asked for when those before it are used up.
public struct PageElements<Page: Decodable & Sendable, Elements: Sequence & Sendable>: AsyncSequence, Sendable
{
    /// What a page is made of.
    public typealias Element = Elements.Element
    /// What a call throws.
    public typealias Failure = APIError

    let pages: PageSequence<Page>
    let elements: @Sendable (Page) -> Elements

    /// Starts at the first element of the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(pages: pages.makeAsyncIterator(), elements: elements)
    }

    /// Gives one element after the other.
    public struct Iterator: AsyncIteratorProtocol {
        var pages: PageSequence<Page>.Iterator
        let elements: @Sendable (Page) -> Elements
        var current: Elements.Iterator?

        init(pages: PageSequence<Page>.Iterator, elements: @escaping @Sendable (Page) -> Elements) {
            self.pages = pages
            self.elements = elements
        }

        /// The next element, or nil after the last.
        ///
        /// - Throws: ``APIError``, as the sequence of pages does.
        public mutating func next() async throws(APIError) -> Elements.Element? {
            while true {
                if let element = current?.next() { return element }
                guard let page = try await pages.next() else { return nil }
                current = elements(page).makeIterator()
            }
        }

        /// The next element, or nil after the last.
        ///
        /// - Throws: ``APIError``, as the sequence of pages does.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(APIError) -> Elements.Element? {
            try await next()
        }
    }
}

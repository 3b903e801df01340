extension Network {
    /// The pages of a list, each fetched when it is asked for.
    ///
    ///     for try await page in network.pages(of: ListUsers(), by: .link()) {
    ///         show(page.value)
    ///     }
    ///
    /// Each page is a send of its own with all actions: credentials go where they belong and nowhere else, wherever a server says
    /// that the next page is. Sensitive header fields that the request brings itself stay in the origins they are bound to, and
    /// a page never leads from https to http.
    ///
    /// The list ends behind the last page, and where a page leads back to one that was read.
    ///
    /// - Parameters:
    ///   - request: The request for the first page. Each further page is the same request at another URL.
    ///   - paging: How one page leads to the next.
    ///   - limit: How many pages there are at most, 1000 unless told otherwise; one more is a `paging-refused` error, so that a
    ///     list without an end is not taken for one that has been read. To read the first few, use `prefix(_:)`.
    public func pages<R: Request>(
        of request: R,
        by paging: Paging<R.Response>,
        upTo limit: Int = 1000
    ) -> Pages<R> {
        Pages(network: self, request: request, paging: paging, limit: limit)
    }
}

/// The pages of a list.
///
/// Made by ``Network/pages(of:by:upTo:)``. Each iterator begins with the first page, when it is asked for it.
public struct Pages<R: Request>: AsyncSequence, Sendable {
    public typealias Element = Reply<R.Response>

    fileprivate let network: Network
    fileprivate let request: R
    fileprivate let paging: Paging<R.Response>
    fileprivate let limit: Int

    /// Begins with the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: self) }

    /// Reads ``Pages``.
    public struct Iterator: AsyncIteratorProtocol {
        private let pages: Pages
        private var place: Paging<R.Response>.Place?
        private var visited: Set<Paging<R.Response>.Place> = []
        private var count = 0
        private var isOver = false

        fileprivate init(pages: Pages) {
            self.pages = pages
            place = pages.paging.first
            if let place { visited.insert(place) }
        }

        /// Fetches the next page.
        ///
        /// - Returns: The page with the response it came in, or `nil` behind the last.
        /// - Throws: ``NetworkError`` of the send, or `paging-refused` if there are more pages than allowed or the next one leads
        ///   where no send must go.
        public mutating func next() async throws -> Reply<R.Response>? {
            guard !isOver else { return nil }
            isOver = true  // It stays so unless there is another page.
            guard count < pages.limit else {
                throw NetworkError(.pagingRefused, "there are more than \(pages.limit) pages", reach: .no)
            }
            let page = try await pages.network.reply(to: PageRequest(pages.request, at: place))
            count += 1
            visited.insert(.url(page.response.url))
            if let next = pages.paging.next(page, count), visited.insert(next).inserted {
                place = next
                isOver = false
            }
            return page
        }
    }
}

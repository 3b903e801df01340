public import Foundation

/// How one page of a list leads to the next.
///
///     network.pages(of: ListUsers(), by: .link())                         Link: </users?page=2>; rel="next"
///     network.pages(of: ListUsers(), by: .number())                       ?page=1, ?page=2, … until a page is empty
///     network.pages(of: ListUsers(), by: .cursor { $0.value.nextCursor }) ?cursor=…, until there is none
public struct Paging<Value: Sendable>: Sendable {
    /// Where a page is.
    enum Place: Sendable, Hashable {
        /// At this URL.
        case url(URL)
        /// At the request's own URL with this item in its query.
        case item(name: String, value: String)
    }

    /// Where the first page is; the request's own URL if `nil`.
    let first: Place?

    /// Where the page behind one is.
    let next: @Sendable (_ page: Reply<Value>, _ count: Int) -> Place?

    /// By the links in the heads of the responses (RFC 8288), until there is none.
    ///
    /// - Parameter relation: The relation of the next page; `next` unless told otherwise.
    public static func link(_ relation: String = "next") -> Paging {
        Paging(first: nil) { page, _ in (page.response.link(relation)?.target).map(Place.url) }
    }

    /// By a number in the query.
    ///
    /// - Parameters:
    ///   - name: The name of the item; `page` unless told otherwise.
    ///   - first: The number of the first page; 1 unless told otherwise.
    ///   - step: How much higher the next number is: 1, or the size of a page where the number is that of an entry.
    ///   - isLast: Whether a page is the last.
    public static func number(
        _ name: String = "page",
        from first: Int = 1,
        step: Int = 1,
        until isLast: @escaping @Sendable (Value) -> Bool
    ) -> Paging {
        Paging(first: .item(name: name, value: String(first))) { page, count in
            isLast(page.value) ? nil : .item(name: name, value: String(first + count * step))
        }
    }

    /// By a cursor that each page brings for the next.
    ///
    /// - Parameters:
    ///   - name: The name of the item in the query; `cursor` unless told otherwise.
    ///   - cursor: Finds the cursor in a page. `nil` and an empty text end the list.
    public static func cursor(
        _ name: String = "cursor",
        _ cursor: @escaping @Sendable (Reply<Value>) -> String?
    ) -> Paging {
        Paging(first: nil) { page, _ in
            guard let cursor = cursor(page), !cursor.isEmpty else { return nil }
            return .item(name: name, value: cursor)
        }
    }

    /// By a URL that each page brings for the next.
    ///
    /// - Parameter url: Finds the URL in a page; `nil` ends the list. A relative one is resolved against that of the page.
    public static func url(_ url: @escaping @Sendable (Reply<Value>) -> URL?) -> Paging {
        Paging(first: nil) { page, _ in
            url(page).flatMap { URL(string: $0.relativeString, relativeTo: page.response.url)?.absoluteURL }.map(
                Place.url
            )
        }
    }
}

extension Paging where Value: Collection {
    /// By a number in the query, until a page is empty.
    ///
    /// - Parameters:
    ///   - name: The name of the item; `page` unless told otherwise.
    ///   - first: The number of the first page; 1 unless told otherwise.
    ///   - step: How much higher the next number is: 1, or the size of a page where the number is that of an entry.
    public static func number(_ name: String = "page", from first: Int = 1, step: Int = 1) -> Paging {
        number(name, from: first, step: step, until: \.isEmpty)
    }
}

public import Foundation

// Where any request is expected these can be written with a leading dot: `network.send(.get("users"))`.
extension Request where Self == RequestBuilder {
    /// Begins a GET request.
    ///
    /// - Parameter path: A path below the network's base URL, by the rule of `URL.joining(_:)`; empty for the base itself.
    public static func get(_ path: String) -> RequestBuilder { .method(.get, path) }

    /// Begins a GET request to a URL.
    public static func get(url: URL) -> RequestBuilder { .method(.get, url: url) }

    /// Begins a HEAD request.
    public static func head(_ path: String) -> RequestBuilder { .method(.head, path) }

    /// Begins a HEAD request to a URL.
    public static func head(url: URL) -> RequestBuilder { .method(.head, url: url) }

    /// Begins a POST request.
    public static func post(_ path: String) -> RequestBuilder { .method(.post, path) }

    /// Begins a POST request to a URL.
    public static func post(url: URL) -> RequestBuilder { .method(.post, url: url) }

    /// Begins a PUT request.
    public static func put(_ path: String) -> RequestBuilder { .method(.put, path) }

    /// Begins a PUT request to a URL.
    public static func put(url: URL) -> RequestBuilder { .method(.put, url: url) }

    /// Begins a PATCH request.
    public static func patch(_ path: String) -> RequestBuilder { .method(.patch, path) }

    /// Begins a PATCH request to a URL.
    public static func patch(url: URL) -> RequestBuilder { .method(.patch, url: url) }

    /// Begins a DELETE request.
    public static func delete(_ path: String) -> RequestBuilder { .method(.delete, path) }

    /// Begins a DELETE request to a URL.
    public static func delete(url: URL) -> RequestBuilder { .method(.delete, url: url) }

    /// Begins a request of any method.
    public static func method(_ method: HTTPMethod, _ path: String) -> RequestBuilder {
        RequestBuilder(method, path: path)
    }

    /// Begins a request of any method to a URL.
    public static func method(_ method: HTTPMethod, url: URL) -> RequestBuilder { RequestBuilder(method, url: url) }
}

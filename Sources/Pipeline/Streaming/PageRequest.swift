import Foundation

/// A request for one page of a list: the request for the list, turned to where the page is.
struct PageRequest<Base: Request>: Request {
    typealias Response = Base.Response

    private let base: Base
    private let place: Paging<Base.Response>.Place?

    init(_ base: Base, at place: Paging<Base.Response>.Place?) {
        self.base = base
        self.place = place
    }

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        try buildRequest(withOptional: baseURL)
    }

    func buildRequest(withOptional baseURL: URL?) throws -> NetworkRequest {
        var request = try base.buildRequest(withOptional: baseURL)
        switch place {
        case nil: break
        case .item(let name, let value): request.url = request.url.settingQueryItem(name, to: value)
        case .url(let url): try Self.turn(&request, to: url)
        }
        return request
    }

    /// Turns a request to a URL that a server has named. As with a redirect, what is bound to an origin stays there: actions
    /// decide anew, and the sensitive fields that the request brings itself are left out elsewhere.
    private static func turn(_ request: inout NetworkRequest, to url: URL) throws(NetworkError) {
        guard let from = Origin(request.url), let to = Origin(url), to.scheme == "http" || to.scheme == "https" else {
            throw NetworkError(.pagingRefused, "the next page is at no http or https URL", reach: .no)
        }
        guard to.isSecure || !from.isSecure else {
            throw NetworkError(.pagingRefused, "the next page leads from https to http, to \(to)", reach: .no)
        }
        guard url.user == nil, url.password == nil else {
            throw NetworkError(.pagingRefused, "the URL of the next page brings credentials of its own", reach: .no)
        }
        request.url = url
        guard from != to else { return }
        request.headers.remove(.host)
        request.headers.remove(.origin)
        request.headers.removeAll { $0.isSensitive && !($0.origins ?? [from]).contains(to) }
    }

    func response(from response: NetworkResponse) async throws -> Base.Response {
        try await base.response(from: response)
    }

    var customProperties: CustomProperties { base.customProperties }

    var actions: [any Action] { base.actions }

    var requestType: any Request.Type { base.requestType }
}

extension URL {
    /// This URL with one item of a name in its query, in the place of those it has. All other bytes stay.
    func settingQueryItem(_ name: String, to value: String) -> URL {
        let (address, old, fragment) = texts
        let others = old.dropFirst().split(separator: "&").filter { item in
            let itemName = item.prefix { $0 != "=" }
            return itemName.replacingOccurrences(of: "+", with: " ").removingPercentEncoding != name
        }
        let query = (others + ["\(name.percentEncoded())=\(value.percentEncoded())"]).joined(separator: "&")
        return rebuilt("\(address)?\(query)\(fragment)")
    }
}

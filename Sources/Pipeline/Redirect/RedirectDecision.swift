import Foundation

/// What to do with a response that may be a redirect: the rules of RFC 9110, section 15.4, as a pure decision.
enum RedirectDecision: Sendable {
    /// The response is no redirect, or is to be handed back.
    case deliver
    /// The request to send next.
    case follow(NetworkRequest)
    /// The redirect leads where the send must not go; why.
    case refuse(String)

    /// The statuses that name another place to go to. 300, 304, 305 and 306 do not, or not to a program.
    static let redirects: HTTPStatusSet = [301, 302, 303, 307, 308]

    /// Whether an answer means that nothing was done yet, but is to be had elsewhere: 307 and 308, and any redirect of a request
    /// that is safe. Servers answer 301, 302 and 303 also when they have done what was asked (RFC 9110, section 15.4).
    static func sendsElsewhere(_ status: HTTPStatus, _ method: HTTPMethod) -> Bool {
        redirects.contains(status) && (method.isSafe || status == 307 || status == 308)
    }

    /// Decides.
    ///
    /// - Parameters:
    ///   - response: The answer to the last hop.
    ///   - request: The request of the last hop as it was before the actions of the hop zone.
    ///   - visited: The URLs of this chain of redirects so far, the last hop's included.
    init(on response: NetworkResponse, to request: NetworkRequest, visited: [URL]) {
        let policy = request.redirectPolicy ?? .follow
        guard policy.scope != .handBack, Self.redirects.contains(response.status),
            let location = response.headers.values(of: .location).first
        else {
            self = .deliver
            return
        }
        guard visited.count <= policy.limit else {
            self = .refuse("more than \(policy.limit) redirects")
            return
        }
        guard let target = Self.target(of: location, from: request), let scheme = target.scheme?.lowercased() else {
            self = .refuse("the Location field holds no URL")
            return
        }
        guard scheme == "https" || scheme == "http" else {
            self = .refuse("it leads to the scheme \"\(scheme)\"")
            return
        }
        guard let to = Origin(target), let from = Origin(request.url) else {
            self = .refuse("the Location field names no host")
            return
        }
        guard !(from.isSecure && !to.isSecure) else {
            self = .refuse("it leads from https to http, to \(to)")
            return
        }
        guard policy.scope != .sameOrigin || from == to else {
            self = .refuse("it leads to another origin, \(to)")
            return
        }
        let next = Self.request(after: request, status: response.status, to: target, from: from, to)
        guard !(next.method == request.method && visited.contains(target)) else {
            self = .refuse("it leads in a circle, back to \(target.redacted)")
            return
        }
        self = .follow(next)
    }

    /// The URL that the field names, resolved against the hop's (RFC 3986, section 5), with the hop's fragment if it has
    /// none of its own (RFC 9110, section 10.2.2). User and password in it are left out. A handshake may be led on to `ws` and `wss`, the
    /// schemes it is known by elsewhere.
    private static func target(of location: String, from request: NetworkRequest) -> URL? {
        let url = request.url
        guard var resolved = URL(string: location, relativeTo: url)?.absoluteURL else { return nil }
        if request.upgrade == WebSocketHandshake.upgrade { resolved = WebSocketHandshake.httpURL(of: resolved) }
        guard var parts = URLComponents(url: resolved, resolvingAgainstBaseURL: true)
        else { return nil }
        parts.user = nil
        parts.password = nil
        if parts.percentEncodedFragment == nil {
            parts.percentEncodedFragment =
                URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedFragment
        }
        return parts.url
    }

    private static func request(
        after request: NetworkRequest,
        status: HTTPStatus,
        to target: URL,
        from: Origin,
        _ to: Origin
    ) -> NetworkRequest {
        var next = request
        next.url = target
        if becomesGET(request.method, on: status) {
            next.method = .get
            next.body = .none
            next.headers.removeAll { describesBody($0.name) }
        }
        next.headers.remove(.host)
        next.headers.remove(.origin)
        next.headers.removeAll { field in
            // A field dropped here is gone for good, since the next hop starts from this request. One that was not for this
            // hop is not for the next either: a stranger has chosen it.
            let origins = field.origins ?? [from]
            return field.isSensitive && !(origins.contains(from) && origins.contains(to))
        }
        return next
    }

    /// 303 turns everything but HEAD into GET; 301 and 302 turn POST into GET, as every browser does (RFC 9110, sections
    /// 15.4.2 to 15.4.4).
    private static func becomesGET(_ method: HTTPMethod, on status: HTTPStatus) -> Bool {
        switch status {
        case 303: method != .head && method != .get
        case 301, 302: method == .post
        default: false
        }
    }

    private static func describesBody(_ name: HTTPFieldName) -> Bool {
        let fields: Set<HTTPFieldName> = [
            .contentType, .contentEncoding, .contentLanguage, .contentLocation, .contentLength, "Content-MD5", "Digest",
            "Content-Digest", "Repr-Digest", "Last-Modified", "Expect", "Trailer",
        ]
        return fields.contains(name)
    }
}

public import Pipeline

/// Sends the cookies of a jar, and stores those of responses (RFC 6265).
///
///     let network = Network(baseURL: api, actions: [.retry(), .cookies(jar)])
///
/// The `Cookie` field is made anew for each hop and each attempt. Cookies are stored from every response, also from redirects
/// and from those that are retried, as cookies of the host that sent them. A cookie that the request brings in a `Cookie` field
/// of its own goes first, and in the place of one of the same name in the jar.
///
/// **Where it belongs:** after the actions that retry, and before signing. It stands in the hop zone, since cookies depend on
/// the URL; and after retrying, since the answer to one attempt may have changed what the next must carry.
///
/// **What it may send twice:** nothing. It asks for no retry.
///
/// **What it never does:** it sends no cookie to a host that it is not for, and none that is `Secure` over plain http, but to
/// this machine. It fails no send: what cannot be stored or written is reported as a ``CookieNote`` and else ignored. Unlike a
/// token, cookies are sent again when redirects come back to their host from another: that is how logins work.
///
/// **How to test:** give the network a `ScriptedTransport` that answers with `Set-Cookie` fields, then look into the jar.
///
/// A request opts out with `usesCookies`.
public struct CookieAction: RequestWillBeginAction, ResponseBeganAction, ResponseCompletedAction {
    /// The jar. Actions of several networks may share one.
    public let jar: CookieJar

    /// Creates the action.
    ///
    /// - Parameter jar: Where cookies are kept; an empty jar in memory unless told otherwise.
    public init(_ jar: CookieJar = CookieJar()) {
        self.jar = jar
    }

    public var zone: ActionZone { .hop }

    public var customPropertyKeys: [any CustomPropertyKey.Type] { [CookieUse.self] }

    public func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        guard request.usesCookies else { return .proceed(request) }
        let own = request.headers[.cookie].map(OwnCookies.init)
        let cookies = jar.cookies(for: request.url, at: request.context.time.date).filter { cookie in
            own.map { !$0.names.contains(cookie.name) } ?? true
        }
        guard !cookies.isEmpty else { return .proceed(request) }
        var request = request
        let pairs = (own.map { [$0.text] } ?? []) + cookies.map { "\($0.name)=\($0.value)" }
        request.headers[.cookie] = pairs.joined(separator: "; ")
        request.context.report(.note(action: "CookieAction", CookieNote.sent(names: cookies.map(\.name))))
        return .proceed(request)
    }

    public func responseBegan(_ response: NetworkResponse, for request: NetworkRequest) {
        guard request.usesCookies, response.headers.contains(.setCookie) else { return }
        let fields = response.headers.values(of: .setCookie)
        let notes = jar.keep(fields, from: request.url, at: request.context.time.date)
        for note in notes { request.context.report(.note(action: "CookieAction", note)) }
    }

    public func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        // Here and not where the response began, because writing waits for the disk: once for all attempts of this pass.
        do {
            try jar.saveChanges()
        } catch {
            request.context.report(.note(action: "CookieAction", CookieNote.notSaved(error)))
        }
        return .deliver(try outcome.get())
    }

    /// The cookies that a request brings itself.
    private struct OwnCookies {
        let text: String
        let names: Set<String>

        init(_ field: String) {
            text = field
            names = Set(
                field.utf8.split(separator: UInt8(ascii: ";")).map { pair in
                    String(decoding: pair.drop { $0 == 0x20 }.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
                }
            )
        }
    }
}

extension Action where Self == CookieAction {
    /// Sends the cookies of a jar and stores those of responses; see ``CookieAction``.
    ///
    /// - Parameter jar: Where cookies are kept; an empty jar in memory unless told otherwise.
    public static func cookies(_ jar: CookieJar = CookieJar()) -> CookieAction { CookieAction(jar) }
}

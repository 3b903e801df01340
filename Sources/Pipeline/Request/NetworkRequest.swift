public import Foundation

/// A request as actions and transports see it.
///
/// It is made by ``Request/buildRequest(with:)`` and can be sent as it is: it is itself a ``Request`` whose response is the
/// ``NetworkResponse``. Options left `nil` are the network's; by the time an action sees the request they are filled in.
public struct NetworkRequest: Sendable {
    private var content: Content

    /// The send the request belongs to; `nil` before its build and outside a send.
    var stamp: SendContext?

    /// Which of its own passes this is for the action that sees the request: 1, then one more for each retry that this
    /// action asked for. It starts afresh whenever the action is entered from outside.
    public internal(set) var pass = 1

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: The method, GET unless told otherwise.
    ///   - url: Where the request goes.
    ///   - headers: The header fields.
    ///   - body: What the request carries; nothing unless told otherwise.
    ///   - customProperties: Values for actions.
    ///   - delivery: What becomes of the response's body; it is gathered in memory unless told otherwise.
    public init(
        method: HTTPMethod = .get,
        url: URL,
        headers: HTTPHeaders = [:],
        body: RequestBody = .none,
        customProperties: CustomProperties = [:],
        delivery: BodyDelivery = .gathered
    ) {
        content = Content(method: method, url: url, headers: headers, body: body)
        if !customProperties.isEmpty { self.customProperties = customProperties }
        if delivery != .gathered { self.delivery = delivery }
    }

    /// Creates a request with a value as its body.
    ///
    /// The value is encoded at build, with the encoder of the request or the network, and brings its `Content-Type`. `Data`
    /// is sent as it is, an absent optional as no body.
    public init(
        method: HTTPMethod = .post,
        url: URL,
        headers: HTTPHeaders = [:],
        body: some Encodable & Sendable,
        customProperties: CustomProperties = [:],
        delivery: BodyDelivery = .gathered
    ) {
        self.init(
            method: method,
            url: url,
            headers: headers,
            body: .value(body),
            customProperties: customProperties,
            delivery: delivery
        )
    }

    /// The method.
    public var method: HTTPMethod {
        _read { yield content.method }
        _modify {
            separate()
            yield &content.method
        }
    }

    /// Where the request goes; an absolute http or https URL.
    public var url: URL {
        _read { yield content.url }
        _modify {
            separate()
            yield &content.url
        }
    }

    /// The header fields.
    ///
    /// `Content-Length`, `Transfer-Encoding` and `Connection` are the transport's and refused here.
    public var headers: HTTPHeaders {
        _read { yield content.headers }
        _modify {
            separate()
            yield &content.headers
        }
    }

    /// What the request carries.
    public var body: RequestBody {
        _read { yield content.body }
        _modify {
            separate()
            yield &content.body
        }
    }

    /// The options.
    var box: RequestOptions.Box {
        _read { yield content.box }
        _modify {
            separate()
            yield &content.box
        }
    }

    /// What makes up a request, behind one reference: on its way through a chain it is handed on, kept and compared by many,
    /// and changed by few.
    private final class Content: @unchecked Sendable {  // It is changed only while one request alone refers to it.
        @exclusivity(unchecked) var method: HTTPMethod
        @exclusivity(unchecked) var url: URL
        @exclusivity(unchecked) var headers: HTTPHeaders
        @exclusivity(unchecked) var body: RequestBody
        @exclusivity(unchecked) var box: RequestOptions.Box

        init(
            method: HTTPMethod,
            url: URL,
            headers: HTTPHeaders,
            body: RequestBody,
            box: RequestOptions.Box = RequestOptions.Box()
        ) {
            self.method = method
            self.url = url
            self.headers = headers
            self.body = body
            self.box = box
        }
    }

    /// Makes sure that no other request sees a change.
    private mutating func separate() {
        guard !isKnownUniquelyReferenced(&content) else { return }
        content = Content(
            method: content.method,
            url: content.url,
            headers: content.headers,
            body: content.body,
            box: content.box
        )
    }

    /// Values for actions to read and write.
    public var customProperties: CustomProperties {
        get { box.options.customProperties }
        set { box.options.customProperties = newValue }
    }

    /// How long the request may take.
    public var timeLimits: TimeLimits {
        get { box.options.timeLimits }
        set { box.options.timeLimits = newValue }
    }

    /// The statuses that count as success. A network accepts 200 to 299 unless told otherwise.
    public var acceptableStatuses: HTTPStatusSet? {
        get { box.options.acceptableStatuses }
        set { box.options.acceptableStatuses = newValue }
    }

    /// What becomes of redirects. A network follows up to 10 unless told otherwise.
    public var redirectPolicy: RedirectPolicy? {
        get { box.options.redirectPolicy }
        set { box.options.redirectPolicy = newValue }
    }

    /// What becomes of the send when no route leads to its host. A network lets it fail at once, with `offline`, unless told
    /// otherwise.
    public var offlinePolicy: OfflinePolicy? {
        get { box.options.offlinePolicy }
        set { box.options.offlinePolicy = newValue }
    }

    /// The largest response body, in bytes, after decompression. A network allows 100 MB for a gathered body unless told
    /// otherwise, and sets no limit for files and streams. A larger one is a `response-too-large` error.
    public var maximumResponseSize: Int? {
        get { box.options.maximumResponseSize }
        set { box.options.maximumResponseSize = newValue }
    }

    /// What becomes of the response's body.
    public var delivery: BodyDelivery {
        get { box.options.delivery }
        set { box.options.delivery = newValue }
    }

    /// What takes the body of the response, if the request is a ``Download``.
    var download: RunningDownload? {
        get { box.options.download }
        set { box.options.download = newValue }
    }

    /// The priority of the request wherever requests wait in line. The one given to the send if `nil`.
    public var priority: TaskPriority? {
        get { box.options.priority }
        set { box.options.priority = newValue }
    }

    /// A name under which sends can be found and cancelled together.
    public var tag: String? {
        get { box.options.tag }
        set { box.options.tag = newValue }
    }

    /// The base URL that the request was built on, if it is not the network's (``SendContext/baseURL``) but one of its own, as
    /// an endpoint type may have. It changes nothing about ``url``; actions that bind something to an origin go by it.
    public var baseURL: URL? {
        get { box.options.baseURL }
        set { box.options.baseURL = newValue }
    }

    /// What the request asks of transport security. A transport that cannot do it refuses the request.
    public var tls: TLSPolicy? {
        get { box.options.tls }
        set { box.options.tls = newValue }
    }

    /// How a value given as body is encoded.
    public var encoder: (any BodyEncoder)? {
        get { box.options.encoder }
        set { box.options.encoder = newValue }
    }

    /// How a value is read out of the response's body.
    public var decoder: (any BodyDecoder)? {
        get { box.options.decoder }
        set { box.options.decoder = newValue }
    }

    /// Actions of this request alone. They stand further in than the network's, in their zones.
    public var actions: [any Action] {
        get { box.options.actions }
        set { box.options.actions = newValue }
    }

    /// The protocol that the connection is to switch to, as the `Upgrade` field names it; `nil` for a request that stays HTTP.
    ///
    /// A WebSocket's handshake asks for one. A transport that can do so writes the fields `Upgrade` and `Connection` itself and
    /// answers 101 with an ``UpgradedConnection``; any other refuses the request.
    public internal(set) var upgrade: String? {
        get { box.options.upgrade }
        set { box.options.upgrade = newValue }
    }

    /// What belongs to the whole send. Outside a send it is ``SendContext/detached``.
    public var context: SendContext { stamp ?? .detached }
}

extension NetworkRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the URL, without query and credentials.
    public var description: String { "\(method) \(url.redacted)" }

    public var debugDescription: String { description }

    public var customMirror: Mirror {
        Mirror(self, children: ["method": method, "url": url.redacted, "headers": headers], displayStyle: .struct)
    }
}

/// The one error that ``Network`` throws.
///
/// Decide on ``code``, or on the coarse ``category``; write ``description`` to logs. The description is a sentence a
/// developer can act on. It names the failing step and the request line, and holds no header value, no query, no
/// credentials and at most the beginning of a body that could not be read. The same holds for `dump` and string
/// interpolation. What the server sent is whole in ``response`` and ``payloadData``.
///
///     do {
///         try await network.send(SaveOrder(order))
///     } catch {                                            // error is a NetworkError
///         if error.code == .offline { keepForLater(order) }
///         if error.statusCode == 409 { show(error.serverMessage) }
///     }
///
/// Where the type is lost (`async let`, tasks, publishers), write `catch let error as NetworkError`, or ask any error for
/// its `networkError`.
public struct NetworkError: Error, Sendable {
    /// What the error knows, behind one reference: errors are passed up through every action.
    struct Details: Sendable {
        var code: Code
        var explanation: String?
        var step: Step?
        var request: RequestLine?
        var response: NetworkResponse?
        var underlying: (any Error)?
        var attempts = 0
        var refusedRetry: RetryRefusal?
        var reach: Reach
        var sendID: SendID?
        var customProperties = CustomProperties()
    }

    private final class Box: Sendable {
        let details: Details
        init(_ details: Details) { self.details = details }
    }

    private var box: Box

    var details: Details {
        get { box.details }
        set { box = Box(newValue) }
    }

    /// Creates an error, for transports and actions to throw.
    ///
    /// The engine fills in the request, the step and the number of attempts as the error passes it.
    ///
    /// - Parameters:
    ///   - code: What went wrong.
    ///   - explanation: What happened here, as a clause without a full stop. The text of the code stands in its place if
    ///     there is none. It must hold no secret.
    ///   - underlying: The error this one stems from.
    ///   - response: The response it is about.
    ///   - reach: Whether the request can have reached the server. `.maybe` unless the caller knows better.
    public init(
        _ code: Code,
        _ explanation: String? = nil,
        underlying: (any Error)? = nil,
        response: NetworkResponse? = nil,
        reach: Reach = .maybe
    ) {
        box = Box(
            Details(
                code: code,
                explanation: explanation,
                response: response,
                underlying: underlying,
                reach: reach
            )
        )
    }

    /// What went wrong.
    public var code: Code { details.code }

    /// What kind of trouble ``code`` is.
    public var category: Category { code.category }

    /// What happened, as a clause, where there is more to say than ``code`` does. It holds no secret.
    public var explanation: String? { details.explanation }

    /// The step of the send that failed.
    public var step: Step? { details.step }

    /// The method and the URL of the request that failed, without query and credentials.
    public var request: RequestLine? { details.request }

    /// The response the error is about, with its whole body, if one arrived.
    public var response: NetworkResponse? { details.response }

    /// The error this one stems from. It can hold secrets: a `URLError`, for one, carries the whole URL.
    public var underlying: (any Error)? { details.underlying }

    /// The custom properties of the request that failed, with what actions had set by then: its identity, say. They can hold
    /// secrets, and are in no text.
    public var customProperties: CustomProperties { details.customProperties }

    /// How many attempts the send had made.
    public var attempts: Int { details.attempts }

    /// The retry that an action asked for and that could not be carried out, if there was one.
    public var refusedRetry: RetryRefusal? { details.refusedRetry }

    /// Whether the request can have reached the server. Only if it cannot is it safe to send a request again that is not
    /// idempotent (RFC 9110, section 9.2.2).
    ///
    /// Actions are told of the last attempt; the error that the send ends with speaks of all of them.
    public var reach: Reach { details.reach }

    /// Whether the send was cancelled, so that there is nothing to show to anyone.
    public var isCancellation: Bool { code == .cancelled }

    /// Whether a request can have reached the server.
    public enum Reach: Sendable, Hashable {
        /// No byte of the request left.
        case no
        /// Some of it may have arrived.
        case maybe
    }

    /// A request as errors show it.
    public struct RequestLine: Sendable, Hashable, CustomStringConvertible {
        /// The method.
        public let method: HTTPMethod
        /// The URL without user, password, query and fragment. An ellipsis stands for a query.
        public let url: String

        init(_ request: NetworkRequest) {
            method = request.method
            url = request.url.redacted
        }

        public var description: String { "\(method) \(url)" }
    }

    /// A part of a send that can fail.
    public enum Step: Sendable, Hashable, CustomStringConvertible {
        /// Making the network request out of the typed request, or checking it.
        case build
        /// An action's hook; the name of the action's type.
        case action(String)
        /// The transport, until the head of the response.
        case transport
        /// The body of the response.
        case body
        /// The check of the status.
        case status
        /// Reading the typed value out of the body.
        case decode

        public var description: String {
            switch self {
            case .build: "build"
            case .action(let name): name
            case .transport: "transport"
            case .body: "body"
            case .status: "status"
            case .decode: "decode"
            }
        }
    }
}

extension Error {
    /// This error as a ``NetworkError``, for places where its type was lost; `nil` if it is another.
    public var networkError: NetworkError? { self as? NetworkError }
}

public import Foundation

/// What becomes of the body of a response.
public enum BodyDelivery: Sendable, Hashable {
    /// It is gathered in memory; the send ends when it is whole.
    case gathered
    /// It is written to this file, which appears when it is whole and replaces one that was there. Only the owner can
    /// read it.
    case file(URL)
    /// It is left a stream; the send returns when the head is in.
    case stream
}

/// What a send does with a redirect (RFC 9110, section 15.4).
public struct RedirectPolicy: Sendable, Hashable {
    /// How far a redirect may lead.
    public enum Scope: Sendable, Hashable {
        /// To any origin.
        case anyOrigin
        /// Within scheme, host and port; one that leads elsewhere is a `redirect-refused` error.
        case sameOrigin
        /// Nowhere: the redirect itself is the response, and acceptable.
        case handBack
    }

    /// How far a redirect may lead.
    public var scope: Scope

    /// How many redirects a send follows. 10 unless told otherwise; one more is a `redirect-refused` error.
    public var limit: Int

    /// Creates a policy.
    public init(_ scope: Scope, limit: Int = 10) {
        self.scope = scope
        self.limit = limit
    }

    /// Follows up to 10 redirects to any origin.
    public static let follow = RedirectPolicy(.anyOrigin)
    /// Follows up to 10 redirects within the origin.
    public static let sameOrigin = RedirectPolicy(.sameOrigin)
    /// Hands a redirect back as the response.
    public static let handBack = RedirectPolicy(.handBack)
}

/// The parts of a request that most requests leave alone, behind one reference.
struct RequestOptions: Sendable {
    var customProperties = CustomProperties()
    var timeLimits = TimeLimits()
    var acceptableStatuses: HTTPStatusSet?
    var redirectPolicy: RedirectPolicy?
    var offlinePolicy: OfflinePolicy?
    var maximumResponseSize: Int?
    var delivery = BodyDelivery.gathered
    var download: RunningDownload?
    var priority: TaskPriority?
    var tag: String?
    var baseURL: URL?
    var tls: TLSPolicy?
    var encoder: (any BodyEncoder)?
    var decoder: (any BodyDecoder)?
    var actions: [any Action] = []
    /// Whether sending its body is what the request is for.
    var isUpload = false
    /// The protocol that the connection is to change to.
    var upgrade: String?

    /// Options that are shared until one of them is changed.
    struct Box: Sendable {
        private final class Storage: Sendable {
            let options: RequestOptions
            init(_ options: RequestOptions) { self.options = options }
        }

        private var storage: Storage

        private static let untouched = Storage(RequestOptions())

        init() { storage = Self.untouched }

        init(_ options: RequestOptions) { storage = Storage(options) }

        /// Whether nobody has set an option.
        var isUntouched: Bool { storage === Self.untouched }

        var options: RequestOptions {
            _read { yield storage.options }
            set { storage = Storage(newValue) }
        }
    }

    /// These options, with the network's where nobody has chosen.
    func filled(from configuration: NetworkConfiguration) -> RequestOptions {
        var filled = self
        filled.timeLimits = timeLimits.filled(from: configuration.timeLimits)
        filled.acceptableStatuses = acceptableStatuses ?? configuration.acceptableStatuses
        filled.redirectPolicy = redirectPolicy ?? configuration.redirectPolicy
        filled.offlinePolicy = offlinePolicy ?? configuration.offlinePolicy
        filled.tls = tls ?? configuration.tls
        filled.encoder = encoder ?? configuration.encoder
        filled.decoder = decoder ?? configuration.decoder
        if delivery == .gathered {
            filled.maximumResponseSize = maximumResponseSize ?? configuration.maximumGatheredSize
        }
        return filled
    }
}

import Foundation
public import Pipeline

/// Lets the application sign each request, after everything else has been done to it.
///
///     SigningAction { message in
///         var request = message.request
///         let digest = try await message.bodyDigest(.sha256).base64EncodedString()
///         request.headers["Content-Digest"] = "sha-256=:\(digest):"
///         request.headers.setSensitive(sign(request, digest), for: "X-Signature")
///         return request
///     }
///
/// The hook is given the final request: its URL, all header fields of the pipeline and its body. It does not see what the
/// transport adds from the connection: `Host`, `Content-Length`, `Accept-Encoding`. It runs again on each hop and on each
/// attempt, so that every attempt has a date and a signature of its own.
///
/// **Where it belongs:** last of all that changes requests: in the hop zone, after retrying. If something further in changes
/// what was signed, or sends it once more, the event monitors are told (`misuse`).
///
/// **What it may send twice:** nothing. It asks for no retry.
///
/// **What it never does:** it runs for no request outside its ``CredentialOrigins``, nor once the send has left them, nor for
/// one whose `requiresAuthentication` is `false`. It reads no body by itself: only
/// ``SignableRequest/bodyDigest(_:)`` does.
///
/// **How to test:** give the hook to the action, and look at the requests that a `ScriptedTransport` was sent; or call the hook
/// with a ``SignableRequest`` of your own.
public struct SigningAction: RequestWillBeginAction, RequestBeganAction {
    /// What signs a request.
    public typealias Hook = @Sendable (SignableRequest) async throws -> NetworkRequest

    private let origins: CredentialOrigins
    private let sign: Hook
    private let identity = Identity()

    /// Creates the action.
    ///
    /// - Parameters:
    ///   - origins: Where signatures belong; to the origin of the network's base URL unless told otherwise.
    ///   - sign: Is given the request, and returns it signed, or as it is. What it throws ends the attempt.
    public init(origins: CredentialOrigins = .baseURL, sign: @escaping Hook) {
        self.origins = origins
        self.sign = sign
    }

    public var zone: ActionZone { .hop }

    public var customPropertyKeys: [any CustomPropertyKey.Type] { [RequiresAuthentication.self] }

    public func requestWillBegin(_ request: NetworkRequest) async throws -> RequestDecision {
        let key = ObjectIdentifier(identity)
        request.context.store[Signed.self][key] = nil
        guard try origins.attachment(to: request, by: "SigningAction", unless: false) != nil else {
            return .proceed(request)
        }
        let signed = try await sign(SignableRequest(request))
        request.context.store[Signed.self][key] = Signature(of: signed)
        return .proceed(signed)
    }

    public func requestBegan(_ request: NetworkRequest) {
        let key = ObjectIdentifier(identity)
        guard let signature = request.context.store[Signed.self][key] else { return }
        if let problem = signature.problem(with: request) {
            request.context.report(.misuse(action: "SigningAction", problem))
        }
        request.context.store[Signed.self][key]?.isUsed = true
    }

    /// Tells one action from another.
    private final class Identity: Sendable {}

    private enum Signed: ContextKey {
        static let defaultValue: [ObjectIdentifier: Signature] = [:]
    }

    /// What was signed, to be compared with what is sent.
    private struct Signature: Sendable {
        let method: HTTPMethod
        let target: String
        let headers: HTTPHeaders
        var isUsed = false

        init(of request: NetworkRequest) {
            method = request.method
            target = request.url.absoluteString
            headers = request.headers
        }

        func problem(with request: NetworkRequest) -> String? {
            if isUsed {
                return "signed one attempt, and an action further in made another of it; it belongs after what retries"
            }
            let isChanged =
                request.method != method || request.url.absoluteString != target
                || !headers.allSatisfy(request.headers.contains)
            return isChanged ? "signed what an action further in has changed; it belongs after it" : nil
        }
    }
}

extension Action where Self == SigningAction {
    /// Lets the application sign each request; see ``SigningAction``.
    ///
    /// - Parameters:
    ///   - origins: Where signatures belong; to the origin of the network's base URL unless told otherwise.
    ///   - sign: Is given the request, and returns it signed, or as it is. What it throws ends the attempt.
    public static func signing(
        origins: CredentialOrigins = .baseURL,
        sign: @escaping SigningAction.Hook
    ) -> SigningAction {
        SigningAction(origins: origins, sign: sign)
    }
}

import Foundation
public import Pipeline

/// Reads what a server says went wrong as a type of the application's own.
///
///     struct APIProblem: Decodable { let code: String; let field: String? }
///
///     let network = Network(baseURL: api, actions: [.errorPayload(APIProblem.self)])
///     do {
///         try await network.send(SaveOrder(order))
///     } catch {
///         if error.errorPayload(as: APIProblem.self)?.code == "sold-out" { … }
///     }
///
/// When a response comes whose status the request does not accept, its body is decoded, and the value is found in the error of
/// the send. Nothing else changes: the send fails as it would without, also when the body is something else.
///
/// **Where it belongs:** in the send zone, further out than whatever changes responses: it reads the one that the send fails
/// for. Several can stand there, for several types; each error knows those that fit. A request whose errors look different brings
/// one of its own (``/Pipeline/Request/actions``).
///
/// **What it may send twice:** nothing; it never asks for a retry.
///
/// **What it never does:** touch a response that is accepted, fail a send, or read a body above
/// ``ErrorPayloadAction/largestBody`` bytes.
///
/// **How to test:** over a `ScriptedTransport` that answers `.json(…, status: 422)`.
public struct ErrorPayloadAction<Payload: Decodable & Sendable>: ResponseCompletedAction {
    private let decoder: (any BodyDecoder)?
    private let types: [MediaRange]

    /// The largest body that is read, in bytes: 1 MiB. What is larger is no message about an error.
    public static var largestBody: Int { 1 << 20 }

    /// Creates the action.
    ///
    /// - Parameters:
    ///   - type: What errors are read as.
    ///   - decoder: How. As the request reads its answers unless told otherwise.
    ///   - types: The media types of bodies that are read; all unless told otherwise, since what is something else does not
    ///     decode.
    public init(_ type: Payload.Type, decoder: (any BodyDecoder)? = nil, types: [MediaRange] = []) {
        self.decoder = decoder
        self.types = types
    }

    public func responseCompleted(_ outcome: Outcome, for request: NetworkRequest) async throws -> ResponseDecision {
        guard let response = outcome.unacceptable, let body = response.body.data, isRead(body, of: response) else {
            return .deliver(try outcome.get())
        }
        do {
            let decoder = decoder ?? request.decoder ?? JSONBodyDecoder()
            let value = try decoder.decode(Payload.self, from: body)
            let entry = ErrorPayloads.Entry(value: value, status: response.status, body: body)
            request.context.store[ErrorPayloads.self][ObjectIdentifier(Payload.self)] = entry
        } catch {
            let decision = ErrorPayloadDecision.undecodable(type: "\(Payload.self)", status: response.status)
            request.context.report(.note(action: "ErrorPayloadAction", decision))
        }
        return .deliver(try outcome.get())
    }

    private func isRead(_ body: Data, of response: NetworkResponse) -> Bool {
        guard !body.isEmpty, body.count <= Self.largestBody else { return false }
        guard !types.isEmpty else { return true }
        let contentType = response.headers.values(of: .contentType).first ?? ""
        return types.contains { $0.contains(contentType) }
    }
}

extension NetworkError {
    /// What an ``ErrorPayloadAction`` read out of the response that the error is about.
    ///
    /// - Parameter type: The type that the action reads.
    /// - Returns: The value; `nil` if there was no such action, the status is accepted, or the body was no such value. What it
    ///   was is in ``/Pipeline/NetworkError/payloadData``.
    public func errorPayload<Payload: Decodable & Sendable>(as type: Payload.Type) -> Payload? {
        guard let response,
            let entry = response.request.context.store[ErrorPayloads.self][ObjectIdentifier(type)],
            // A send can have had several responses, and what was read is of one of them.
            entry.status == response.status, entry.body == response.body.data
        else { return nil }
        return entry.value as? Payload
    }
}

/// What an ``ErrorPayloadAction`` has to tell, as its notes among the events say.
public enum ErrorPayloadDecision: Sendable, Hashable, CustomStringConvertible {
    /// The body of a response was not of the type.
    case undecodable(type: String, status: HTTPStatus)

    public var description: String {
        switch self {
        case .undecodable(let type, let status): "the body of the \(status.code) is not a \(type)"
        }
    }
}

/// What was read last, by type, and out of what.
private enum ErrorPayloads: ContextKey {
    struct Entry: Sendable {
        let value: any Sendable
        let status: HTTPStatus
        let body: Data
    }

    static let defaultValue: [ObjectIdentifier: Entry] = [:]
}

extension Outcome {
    /// The response that the send fails for, or that an error further in is about, if its status is not accepted.
    fileprivate var unacceptable: NetworkResponse? {
        let response: NetworkResponse? =
            switch self {
            case .success(let response): response
            case .failure(let error): error.response
            }
        return response.flatMap { $0.isAcceptable ? nil : $0 }
    }
}

extension Action {
    /// Reads what a server says went wrong as a type of the application's own; see ``ErrorPayloadAction``.
    ///
    /// - Parameters:
    ///   - type: What errors are read as.
    ///   - decoder: How. As the request reads its answers unless told otherwise.
    ///   - types: The media types of bodies that are read; all unless told otherwise.
    public static func errorPayload<Payload: Decodable & Sendable>(
        _ type: Payload.Type,
        decoder: (any BodyDecoder)? = nil,
        types: [MediaRange] = []
    ) -> ErrorPayloadAction<Payload> where Self == ErrorPayloadAction<Payload> {
        ErrorPayloadAction(type, decoder: decoder, types: types)
    }
}

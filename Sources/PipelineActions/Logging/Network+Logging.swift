public import Foundation
public import Pipeline

extension Network {
    /// Creates a network with a ready ``LoggingAction``.
    ///
    ///     let network = Network(baseURL: api, logging: true)
    ///
    /// The action is the first in the list and writes to standard error. To change its level later, or to send it elsewhere,
    /// make one yourself and put it into `actions`.
    ///
    /// - Parameters:
    ///   - baseURL: What requests build on. Without one, only requests that bring their own URL can be sent.
    ///   - logging: Whether sends are logged, a line each.
    ///   - actions: Further actions, outermost first.
    ///   - transport: What moves the bytes; the platform's best unless told otherwise.
    ///   - configuration: What holds for all sends unless a request says otherwise.
    public convenience init(
        baseURL: URL? = nil,
        logging: Bool,
        actions: [any Action] = [],
        transport: (any Transport)? = nil,
        configuration: NetworkConfiguration = NetworkConfiguration()
    ) {
        self.init(
            baseURL: baseURL,
            logging: logging ? .info : .off,
            actions: actions,
            transport: transport,
            configuration: configuration
        )
    }

    /// Creates a network with a ready ``LoggingAction`` of a level.
    ///
    ///     let network = Network(baseURL: api, logging: .verbose)
    ///
    /// - Parameters:
    ///   - baseURL: What requests build on. Without one, only requests that bring their own URL can be sent.
    ///   - logging: How much is written; with `.off` there is no action.
    ///   - actions: Further actions, outermost first.
    ///   - transport: What moves the bytes; the platform's best unless told otherwise.
    ///   - configuration: What holds for all sends unless a request says otherwise.
    public convenience init(
        baseURL: URL? = nil,
        logging: LoggingAction.Level,
        actions: [any Action] = [],
        transport: (any Transport)? = nil,
        configuration: NetworkConfiguration = NetworkConfiguration()
    ) {
        self.init(
            baseURL: baseURL,
            actions: (logging == .off ? [] : [LoggingAction(logging)]) + actions,
            transport: transport,
            configuration: configuration
        )
    }
}

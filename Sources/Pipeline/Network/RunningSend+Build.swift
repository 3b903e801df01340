import Foundation

extension RunningSend {
    typealias Built = Result<(NetworkRequest, Itinerary), NetworkError>

    /// Makes the network request of a request: options filled in, body encoded, properties checked, context stamped.
    ///
    /// The context exists also if that fails, for the monitors.
    func build(_ request: some Request, priority: TaskPriority?, parent: SendContext?) -> (Built, SendContext) {
        do {
            let baseURL = try core.baseURL()
            var built = try request.buildRequest(withOptional: baseURL)
            try complete(&built, with: request.customProperties, priority: priority)
            let own = request.actions + built.actions
            let ownList = own.isEmpty ? ActionList.empty : ActionList(own)
            for key in core.actions.propertyKeys + ownList.propertyKeys { try built.customProperties.check(key) }
            let context = makeContext(
                for: built,
                of: request.requestType,
                baseURL: baseURL,
                monitors: own.isEmpty ? core.monitors : core.monitors + ownList.monitors,
                parent: parent
            )
            built.stamp = context
            return (.success((built, own.isEmpty ? core.itinerary : core.actions.itinerary(own: ownList))), context)
        } catch {
            let context = makeContext(
                for: nil,
                of: request.requestType,
                baseURL: nil,
                monitors: core.monitors,
                parent: parent
            )
            var failure = NetworkError(buildFailure: error)
            failure.details.sendID = id
            return (.failure(failure), context)
        }
    }

    private func complete(
        _ request: inout NetworkRequest,
        with properties: CustomProperties,
        priority: TaskPriority?
    ) throws {
        if !properties.isEmpty { request.customProperties = request.customProperties.merging(properties) }
        if request.box.isUntouched {
            request.box = core.options
        } else {
            request.box = RequestOptions.Box(request.box.options.filled(from: core.configuration))
        }
        if let priority, request.priority == nil { request.priority = priority }
        do {
            request.body = try request.body.encoded(with: request.encoder ?? core.configuration.encoder)
        } catch {
            throw NetworkError(.encodingFailed, underlying: error, reach: .no)
        }
        try request.body.check()
        if let contentType = request.body.contentType, !request.headers.contains(.contentType) {
            request.headers[.contentType] = contentType
        }
    }

    private func makeContext(
        for request: NetworkRequest?,
        of type: any Request.Type,
        baseURL: URL?,
        monitors: [any EventMonitor],
        parent: SendContext?
    ) -> SendContext {
        let total = request?.timeLimits.total
        let context = SendContext(
            id: id,
            core: core,
            time: core.configuration.time,
            start: start,
            deadline: total.flatMap { $0 < .unlimited ? start + $0 : nil },
            monitors: monitors,
            tag: request?.tag,
            baseURL: baseURL,
            requestType: type,
            isConditional: request.map { $0.headers.contains(.ifNoneMatch) || $0.headers.contains(.ifModifiedSince) }
                ?? false,
            parent: parent
        )
        adopt(context, totalLimit: total)
        return context
    }
}

extension NetworkError {
    /// The error for what building a request threw.
    fileprivate init(buildFailure error: any Error) {
        switch error {
        case let error as NetworkError:
            self = error
            if details.sendID != nil { self.init(.invalidRequest, "the request could not be built", underlying: error) }
        case let error as MalformedValue:
            self.init(error)
        default:
            self.init(.invalidRequest, "the request could not be built", underlying: error, reach: .no)
        }
        details.step = .build
    }
}

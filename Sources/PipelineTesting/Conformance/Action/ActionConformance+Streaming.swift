import Foundation
import Pipeline

extension ActionConformance {
    /// Streamed bodies go past an action: it neither reads them nor holds them back.
    static let streamingCases: [Case] = [
        Case("hands on a stream before its body has come") { stage in
            let transport = ConversationTransport()
            let network = stage.network(over: transport)
            let request = stage.streamed
            async let sent = network.send(request)
            let pipe = await transport.nextExchange().respondStreaming()
            // Nothing is written before the response is here: an action that waits for a body waits for ever.
            var chunks = try await sent.body.makeAsyncIterator()
            pipe.write(Data("first".utf8))
            let first = try await chunks.next()
            try stage.expect(first == Data("first".utf8), "the first chunk", saw: "\(String(describing: first))")
            pipe.finish()
            let rest = try await chunks.next()
            try stage.expect(rest == nil, "the end", saw: "\(String(describing: rest))")
        },
        Case("leaves a streamed body whole") { stage in
            let chunks = (0..<10).map { "chunk \($0);" }
            let transport = ScriptedTransport([.chunks(chunks)])
            let body = try await stage.network(over: transport).send(stage.streamed).body.collect()
            let text = String(decoding: body, as: UTF8.self)
            try stage.expect(text == chunks.joined(), "the \(chunks.joined().utf8.count) bytes sent", saw: text)
        },
        Case("lets go of a stream that its reader drops") { stage in
            let transport = ConversationTransport()
            let network = stage.network(over: transport)
            let request = stage.streamed
            let wasDropped = OneShot<Void>()
            let sending = Task { _ = try await network.send(request) }
            _ = await transport.nextExchange().respondStreaming(onCancel: { wasDropped.resolve(()) })
            try await sending.value
            await wasDropped.valueOrCancellation()
        },
        Case("lets a stream break off") { stage in
            let transport = ConversationTransport()
            let network = stage.network(over: transport)
            let request = stage.streamed
            async let sent = network.send(request)
            let pipe = await transport.nextExchange().respondStreaming()
            let body = try await sent.body
            pipe.finish(throwing: NetworkError(.truncated))
            do {
                let data = try await body.collect()
                throw stage.broken("an error", saw: "\(data.count) bytes")
            } catch let error as NetworkError {
                try stage.expect(error.code == .truncated, "truncated", saw: "\(error)")
            }
        },
    ]
}

extension ActionStage {
    fileprivate var streamed: NetworkRequest {
        var request = request
        request.delivery = .stream
        return request
    }
}

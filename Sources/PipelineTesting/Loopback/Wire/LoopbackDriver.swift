import Foundation

/// Serves one connection on its own thread, from the first byte to the end.
final class LoopbackDriver {
    private let id: Int
    private let core: LoopbackCore
    private let routes: LoopbackRouteCopy
    private let socket: LoopbackSocket
    private let input: LoopbackInput
    private let waiter: LoopbackWaiter
    private let player: LoopbackPlayer

    init(_ id: Int, _ socket: LoopbackSocket, _ routes: LoopbackRouteCopy, _ core: LoopbackCore) {
        self.id = id
        self.routes = routes
        self.core = core
        self.socket = socket
        let recorder = core.recorder
        input = LoopbackInput(socket) { recorder.received($0, on: id) }
        input.isRecording = recorder.isOn
        waiter = LoopbackWaiter(socket)
        player = LoopbackPlayer(socket, input: input, waiter: waiter)
    }

    /// Serves requests until the connection ends, and closes it.
    func run() -> LoopbackConnection.Ending {
        defer { socket.close() }
        let ending = serve()
        return core.isStopping ? .stopped : ending
    }

    private func serve() -> LoopbackConnection.Ending {
        do {
            var index = 0
            while let head = try input.readHead() {
                if let ending = try serve(head, index) { return ending }
                index += 1
            }
            return .closedByClient
        } catch let end as LoopbackConnectionEnded {
            return end.ending
        } catch let malformed as LoopbackMalformedRequest {
            let reply = LoopbackReply.text(malformed.reason + "\n", status: 400)
            _ = try? player.play(reply.steps, LoopbackPlayer.Terms(closes: true))
            lingerThenClose()
            return .malformedRequest(malformed.reason)
        } catch {
            return .conversationFailed(String(describing: error))
        }
    }

    /// Serves one request. Returns how the connection ended if it did.
    private func serve(_ head: LoopbackRequestHead, _ index: Int) throws -> LoopbackConnection.Ending? {
        var request = LoopbackRequest(head: head, connectionID: id, index: index)
        let routes = routes.current
        let route = routes.handler(for: request)
        var reading = route.reading ?? core.reading
        var keepsBody = true
        var steps: [LoopbackStep]?
        if let early = routes.headHandler(for: request) {
            var seen = request
            seen.parameters = early.parameters
            switch early.handler(seen).kind {
            case .reply(let reply):
                return try answerEarly(reply, head, request)
            case .readBody(let first, let pace, let keeps):
                steps = first
                reading = pace ?? reading
                keepsBody = keeps
            }
        }
        if let steps {
            if let ending = end(try player.play(steps), unreadBody: head.framing != .none) { return ending }
        } else if head.expectsContinue && head.framing != .none {
            _ = try player.play([.interim(100)])
        }
        try readBody(head, reading, keepsBody, &request)
        core.recorder.arrived(request)
        request.parameters = route.parameters
        let outcome = try player.play(route.handler(request).steps, terms(head, closes: head.wantsClose))
        return end(outcome, unreadBody: false, closes: head.wantsClose || player.saidClose)
    }

    private func answerEarly(
        _ reply: LoopbackReply,
        _ head: LoopbackRequestHead,
        _ request: LoopbackRequest
    ) throws -> LoopbackConnection.Ending? {
        var request = request
        let hasBody = head.framing != .none && head.framing != .length(0)
        request.hasUnreadBody = hasBody
        core.recorder.arrived(request)
        let closes = hasBody || head.wantsClose
        let outcome = try player.play(reply.steps, terms(head, closes: closes))
        if let ending = end(outcome, unreadBody: hasBody, closes: closes || player.saidClose) { return ending }
        if hasBody { try readBody(head, .unlimited, false, &request) }
        return nil
    }

    private func readBody(
        _ head: LoopbackRequestHead,
        _ reading: LoopbackReading,
        _ keepsBody: Bool,
        _ request: inout LoopbackRequest
    ) throws {
        let reader = LoopbackBodyReader(input: input, waiter: waiter, reading: reading, keepsBody: keepsBody)
        defer { input.isRecording = core.recorder.isOn }
        try reader.read(head.framing, into: &request)
    }

    private func terms(_ head: LoopbackRequestHead, closes: Bool) -> LoopbackPlayer.Terms {
        LoopbackPlayer.Terms(
            isHead: head.method == "HEAD",
            closes: closes,
            announcesKeepAlive: head.isVersion0 && !closes
        )
    }

    /// Ends the connection if the steps or the terms say so.
    private func end(
        _ outcome: LoopbackPlayer.Outcome,
        unreadBody: Bool,
        closes: Bool = false
    ) -> LoopbackConnection.Ending? {
        switch outcome {
        case .keepOpen:
            return nil
        case .reset:
            socket.reset()
            return .resetByServer
        case .undecided where !closes:
            return nil
        case .undecided, .close:
            if unreadBody { lingerThenClose() }
            return .closedByServer
        }
    }

    /// Closing while bytes are unread would reset the connection, and the client might lose the answer. So: stop sending,
    /// let the client read to the end and close.
    private func lingerThenClose() {
        socket.finishSending()
        try? input.drain()
    }
}

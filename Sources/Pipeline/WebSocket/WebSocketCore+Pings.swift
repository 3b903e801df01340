/// The pings that a WebSocket sends by itself.
extension WebSocketCore {
    /// Sends a ping now and then, and gives the connection up when one is not answered.
    func ping(over link: WebSocketLink) async {
        guard let interval = configuration.pingInterval else { return }
        while (try? await time.sleep(for: interval, purpose: .webSocketPing)) != nil {
            // Before the ping, which itself waits for a moment.
            let pulse = link.pulse
            guard let pong = try? link.ping() else { return }
            startPongLimit(of: link, pong, since: pulse)
            _ = await pong.value()
            link.lift(.pong)
        }
    }

    /// Has the limit begin anew for as long as the connection shows life: the ping, or its pong, can stand behind much else.
    private func startPongLimit(
        of link: WebSocketLink,
        _ pong: OneShot<Result<Duration, NetworkError>>,
        since past: WebSocketPulse
    ) {
        link.startLimit(.pong, of: configuration.pongLimit) { [weak self, weak pong] link in
            // The pong, once it is there, is let go of.
            guard let self, let pong else { return }
            let pulse = link.pulse
            if inbox.isHolding || pulse.showsLife(since: past) {
                return startPongLimit(of: link, pong, since: pulse)
            }
            let error = NetworkError(.timedOutIdle, "no pong came within \(configuration.pongLimit)")
            if pong.resolve(.failure(error)) { link.fail(error) }
        }
    }
}

extension PausePurpose {
    /// The time between two pings that a WebSocket sends by itself.
    public static let webSocketPing = PausePurpose(rawValue: "websocket-ping")
}

import Testing

@testable import Pipeline

struct WebSocketPulseTests {
    @Test(arguments: [
        (WebSocketPulse(received: 1, sent: 1, unsent: 0), WebSocketPulse(received: 1, sent: 1, unsent: 0), false),
        (WebSocketPulse(received: 1, sent: 1, unsent: 0), WebSocketPulse(received: 2, sent: 1, unsent: 0), true),
        // The system has room for it, whoever is there.
        (WebSocketPulse(received: 1, sent: 1, unsent: 0), WebSocketPulse(received: 1, sent: 9, unsent: 0), false),
        (WebSocketPulse(received: 1, sent: 1, unsent: 9), WebSocketPulse(received: 1, sent: 2, unsent: 8), true),
        // More waits, and nothing has gone.
        (WebSocketPulse(received: 1, sent: 1, unsent: 9), WebSocketPulse(received: 1, sent: 1, unsent: 99), false),
        (WebSocketPulse(received: 1, sent: 1, unsent: 9), WebSocketPulse(received: 2, sent: 1, unsent: 9), true),
    ])
    func `takes what comes for life, and what goes where it had to wait`(
        past: WebSocketPulse,
        now: WebSocketPulse,
        showsLife: Bool
    ) {
        #expect(now.showsLife(since: past) == showsLife)
    }
}

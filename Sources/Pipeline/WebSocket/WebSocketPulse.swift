/// What has moved over a connection up to some moment: from two of them is told whether it has lived in between.
struct WebSocketPulse: Sendable, Hashable {
    /// How many bytes have come.
    var received: Int

    /// How many bytes were handed to the system.
    var sent: Int

    /// How many bytes waited for the system to take them.
    var unsent: Int

    /// Whether the connection has shown life since an earlier moment.
    ///
    /// What comes does. What goes does only where bytes had to wait: the system then takes more because the other side has taken
    /// some. Without that it takes what it has room for, though nobody is there any more.
    func showsLife(since past: WebSocketPulse) -> Bool {
        received > past.received || past.unsent > 0 && sent > past.sent
    }
}

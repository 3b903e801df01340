/// What holds for all sends of a network unless a request says otherwise.
public struct NetworkConfiguration: Sendable {
    /// How values given as bodies are encoded. JSON unless told otherwise.
    public var encoder: any BodyEncoder = JSONBodyEncoder()

    /// How values are read out of response bodies. JSON unless told otherwise.
    public var decoder: any BodyDecoder = JSONBodyDecoder()

    /// The statuses that count as success. 200 to 299 unless told otherwise.
    public var acceptableStatuses = HTTPStatusSet.success

    /// How long requests may take; see ``TimeLimits/standard`` for the defaults.
    public var timeLimits = TimeLimits.standard

    /// What becomes of redirects. Up to 10 are followed unless told otherwise.
    public var redirectPolicy = RedirectPolicy.follow

    /// What becomes of sends when no route leads to their hosts. They fail at once, with `offline`, unless told otherwise.
    public var offlinePolicy = OfflinePolicy.fail

    /// Who knows whether there is a network. The monitor of the process unless told otherwise. It listens from the first send
    /// on that leaves the machine.
    public var networkMonitor = NetworkMonitor.shared

    /// The largest response body that is gathered in memory, in bytes after decompression. 100 MB unless told otherwise.
    public var maximumGatheredSize = 100_000_000

    /// How many retries a send may make, whoever asks for them. 20 unless told otherwise. Redirects are counted apart.
    public var maximumRetries = 20

    /// What requests ask of transport security; nothing beyond what the system checks unless told otherwise.
    public var tls: TLSPolicy?

    /// Who is told what sends do.
    public var monitors: [any EventMonitor] = []

    /// Where sends take their time from. The machine's time unless told otherwise.
    public var time: any TimeSource = SystemTime.shared

    /// Creates the default configuration.
    public init() {}

    /// Creates the default configuration with another time source and event monitors.
    public init(time: any TimeSource, monitors: [any EventMonitor] = []) {
        self.time = time
        self.monitors = monitors
    }
}

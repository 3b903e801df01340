#if canImport(Glibc)
    import CCurl
    import Foundation

    /// What stands between any thread and the event loop: a box for commands, a bell to wake it, and the loop's thread, which is
    /// started with the first request.
    final class CurlDriver: Sendable {
        enum Command: Sendable {
            case begin(CurlExchange)
            case drop(CurlExchange)
            case resume(CurlExchange)
            case send(CurlExchange)
        }

        enum Ending: Sendable {
            /// When what runs has ended.
            case afterwards
            case now
        }

        private struct State {
            var commands: [Command] = []
            /// Whether the loop is about to wait, or waits.
            var isAsleep = false
            var ending: Ending?
            var thread: pthread_t?
        }

        /// What the loop waits at, besides its sockets: readable when there is something to do.
        let bell: Int32

        /// What requests say that do not say otherwise.
        let defaults: CurlMessage.Defaults

        private let configuration: CurlTransport.Configuration
        private let library: CurlLibrary
        private let state = Locked(State())

        init(library: CurlLibrary, configuration: CurlTransport.Configuration) {
            self.library = library
            self.configuration = configuration
            let userAgent = configuration.userAgent.flatMap { $0.isEmpty ? nil : $0 }
            defaults = CurlMessage.Defaults(userAgent: userAgent, contentCodings: library.contentCodings)
            bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        }

        deinit { Glibc.close(bell) }

        // MARK: Any thread

        /// Gives a request to the loop.
        func begin(_ exchange: CurlExchange) throws(NetworkError) {
            let result = state.withLock { state -> Result<Bool, NetworkError> in
                guard state.ending == nil else {
                    return .failure(NetworkError(.transportUnavailable, "the CurlTransport was shut down", reach: .no))
                }
                if state.thread == nil {
                    guard let thread = startThread() else {
                        return .failure(NetworkError(.transportUnavailable, "no thread can be started", reach: .no))
                    }
                    state.thread = thread
                }
                state.commands.append(.begin(exchange))
                defer { state.isAsleep = false }
                return .success(state.isAsleep)
            }
            if try result.get() { ring() }
        }

        /// Tells the loop something.
        func post(_ command: Command) {
            let isAsleep = state.withLock { state in
                guard state.thread != nil else { return false }
                state.commands.append(command)
                defer { state.isAsleep = false }
                return state.isAsleep
            }
            if isAsleep { ring() }
        }

        /// Lets the loop end, and its thread with it.
        func end(_ ending: Ending) {
            state.withLock { state in
                if state.ending != .now { state.ending = ending }
                state.isAsleep = false
            }
            ring()
        }

        /// Ends all that runs and waits until the thread is gone.
        func shutDown() async {
            end(.now)
            // Who takes the thread out joins it; others find that it is being done, or was.
            let thread = state.withLock { $0.thread.take() }
            guard let thread else { return }
            await withUnsafeContinuation { (waiter: UnsafeContinuation<Void, Never>) in
                DispatchQueue.global().async {
                    pthread_join(thread, nil)
                    waiter.resume()
                }
            }
        }

        private func ring() {
            var one: UInt64 = 1
            _ = write(bell, &one, 8)
        }

        // MARK: The loop's thread

        /// Takes the commands that came, in order, and tells whether the loop must end.
        ///
        /// - Parameter commands: An empty array, whose memory the next commands are put into: so nobody allocates while others
        ///   wait for the lock.
        func takeCommands(into commands: inout [Command]) -> Ending? {
            state.withLock { state in
                state.isAsleep = false
                swap(&state.commands, &commands)
                return state.ending
            }
        }

        /// Whether commands have come, or the loop must end.
        var hasCommands: Bool { state.withLock { !$0.commands.isEmpty || $0.ending == .now } }

        /// Asks whether the loop may wait at the bell; it may not if commands have come.
        func mayFallAsleep() -> Bool {
            state.withLock { state in
                state.isAsleep = state.commands.isEmpty && state.ending != .now
                return state.isAsleep
            }
        }

        private func startThread() -> pthread_t? {
            let start = Unmanaged.passRetained(Start(driver: self, library: library, configuration: configuration))
            var thread = pthread_t()
            let code = pthread_create(
                &thread,
                nil,
                { context in
                    guard let context else { return nil }
                    let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
                    start.run()
                    return nil
                },
                start.toOpaque()
            )
            guard code == 0 else {
                start.release()
                return nil
            }
            return thread
        }

        private final class Start {
            private let driver: CurlDriver
            private let library: CurlLibrary
            private let configuration: CurlTransport.Configuration

            init(driver: CurlDriver, library: CurlLibrary, configuration: CurlTransport.Configuration) {
                self.driver = driver
                self.library = library
                self.configuration = configuration
            }

            func run() {
                // OpenSSL writes to sockets that the other side may have closed.
                var pipe = sigset_t()
                sigemptyset(&pipe)
                sigaddset(&pipe, SIGPIPE)
                pthread_sigmask(SIG_BLOCK, &pipe, nil)
                ccurl_name_thread("pipeline.curl")
                CurlLoop(driver: driver, library: library, configuration: configuration).run()
                driver.loopEnded()
            }
        }

        private func loopEnded() {
            let (thread, commands) = state.withLock { state in
                defer { state.commands = [] }
                return (state.thread.take(), state.commands)
            }
            _ = commands  // Released outside the lock. They know this driver, and must not be known back.
            // Nobody joins the thread of a transport that was only let go of.
            if let thread { pthread_detach(thread) }
        }
    }
#endif

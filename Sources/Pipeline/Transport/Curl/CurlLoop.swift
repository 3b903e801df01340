#if canImport(Glibc)
    import CCurl
    import Foundation

    /// The event loop: one thread that waits for sockets, timers and commands, and lets libcurl work when there is something to
    /// do.
    ///
    /// Everything here, and in the pools and transfers it keeps, is touched by that thread alone, so that nothing need be checked
    /// when it is.
    final class CurlLoop {
        let configuration: CurlTransport.Configuration
        let library: CurlLibrary
        let selector: Int32
        /// What the head of a response may be.
        let headLimits: ResponseHeadReader.Limits
        /// The time of the present turn.
        @exclusivity(unchecked) private(set) var now = CurlClock.now

        private let driver: CurlDriver
        /// A few, so that looking through them is quicker than hashing a policy, which can hold a hundred certificates.
        @exclusivity(unchecked) private var pools: [CurlPool] = []
        private var lastPoolNumber: UInt32 = 0
        @exclusivity(unchecked) private var queue: AdmissionQueue<CurlExchange>
        @exclusivity(unchecked) private var commands: [CurlDriver.Command] = []
        @exclusivity(unchecked) private var touched: [CurlTransfer] = []
        /// Those that are being handed over from. Kept for its memory.
        @exclusivity(unchecked) private var delivering: [CurlTransfer] = []
        /// When the idle limits are looked at next.
        @exclusivity(unchecked) private var inspection: UInt64?
        @exclusivity(unchecked) private var wasLastWaitShort = false
        /// How many connections are open that have left HTTP.
        @exclusivity(unchecked) private var upgrades = 0
        /// When the next pool that nobody uses is closed.
        @exclusivity(unchecked) private var retirement: UInt64?

        /// Where bytes are read to before they are handed on.
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

        /// Marks the events of the bell; pools are numbered from 1.
        private static let bellNumber: UInt64 = 0

        init(driver: CurlDriver, library: CurlLibrary, configuration: CurlTransport.Configuration) {
            self.driver = driver
            self.library = library
            self.configuration = configuration.withoutAbsentProxy
            headLimits = ResponseHeadReader.Limits(
                size: configuration.maximumHeadSize,
                fields: configuration.maximumFields,
                interimResponses: configuration.maximumInterimResponses
            )
            queue = AdmissionQueue(
                perHost: configuration.maximumRequestsPerHost,
                inAll: configuration.maximumRequests
            )
            selector = epoll_create1(Int32(EPOLL_CLOEXEC))
            var event = epoll_event()
            event.events = EPOLLIN.rawValue
            event.data.u64 = Self.bellNumber
            epoll_ctl(selector, EPOLL_CTL_ADD, driver.bell, &event)
        }

        deinit {
            Glibc.close(selector)
            scratch.deallocate()
        }

        func run() {
            var events = [epoll_event](repeating: epoll_event(), count: 128)
            while true {
                let ending = takeCommands()
                if ending == .now { return endAll() }
                work()
                // After the work, with which the last of them may have ended: nobody rings any more.
                if ending == .afterwards, queue.isEmpty, upgrades == 0 { return endAll() }
                let count = wait(for: &events)
                now = CurlClock.now
                for event in events[..<count] { handle(event) }
            }
        }

        /// Waits for the next event. Only where there is none does it fall asleep, so that nobody rings for a loop that is busy.
        private func wait(for events: inout [epoll_event]) -> Int {
            let timeout = timeout
            let start = now
            defer { wasLastWaitShort = CurlClock.now - start < Self.shortWait }
            repeat {
                let ready = epoll_wait(selector, &events, Int32(events.count), 0)
                if ready > 0 || timeout == 0 || driver.hasCommands { return max(0, Int(ready)) }
                guard wasLastWaitShort, isLeisurely else { break }
                sched_yield()
            } while CurlClock.now - start < Self.shortWait
            guard driver.mayFallAsleep() else { return 0 }
            return max(0, Int(epoll_wait(selector, &events, Int32(events.count), timeout)))
        }

        /// To be woken takes a thread some 40 microseconds on a common server, about as long as an answer takes to come from near
        /// by. So after a short wait, while one request follows another, the next wait is expected to be short too, and the loop
        /// looks again and again for this long, in nanoseconds, before it falls asleep. With more to do it would only take the
        /// processor from those it waits for.
        private static let shortWait: UInt64 = 150_000

        /// Whether there is one request at most, and no body on its way.
        private var isLeisurely: Bool {
            var count = 0
            for pool in pools {
                guard pool.runsNoStream else { return false }
                count += pool.runningCount
            }
            return count <= 1
        }

        // MARK: Commands

        private func takeCommands() -> CurlDriver.Ending? {
            let ending = driver.takeCommands(into: &commands)
            for command in commands { carryOut(command) }
            commands.removeAll(keepingCapacity: commands.count < 256)
            return ending
        }

        private func carryOut(_ command: CurlDriver.Command) {
            switch command {
            case .begin(let exchange):
                let priority = exchange.request.priority ?? .medium
                if queue.admit(exchange, to: exchange.origin, priority: priority.rawValue) {
                    start(exchange)
                } else {
                    exchange.request.context.attemptWaits()
                    if exchange.isMonitored { exchange.note(.transport("waits in line for \(exchange.origin)")) }
                }
            case .drop(let exchange):
                exchange.transfer?.drop()
            case .resume(let exchange):
                exchange.transfer?.resumeReading()
            case .send(let exchange):
                exchange.transfer?.resumeSending()
            }
        }

        // MARK: Requests come and go

        private func start(_ exchange: CurlExchange) {
            guard exchange.start() else { return queue.leave(exchange.origin) }
            pool(for: exchange).start(exchange)
            inspect(at: now + exchange.idleLimit)
        }

        private func startWaiting() {
            while let exchange = queue.next() {
                exchange.request.context.attemptWasAdmitted()
                start(exchange)
            }
        }

        /// Notes that the transfer of a request is over.
        func ended(_ exchange: CurlExchange) {
            if exchange.hasSwitched { upgrades -= 1 } else { queue.leave(exchange.origin) }
        }

        /// Notes that a request has become a connection of its own, which can stay open for as long as the program runs. Nobody
        /// waits in line behind it.
        func switched(_ exchange: CurlExchange) {
            upgrades += 1
            queue.leave(exchange.origin)
        }

        private func pool(for exchange: CurlExchange) -> CurlPool {
            let key = exchange.poolKey
            // libcurl closes connections that have not been used for a while when it makes another, those that it has left to us
            // too. So each of them has a pool of its own.
            if !key.isUpgrade, let pool = pools.first(where: { $0.key == key }) { return pool }
            lastPoolNumber += 1
            let pool = CurlPool(key: key, number: lastPoolNumber, loop: self)
            pools.append(pool)
            return pool
        }

        // MARK: Turns

        /// Lets the pools do what is due, and hands over what came of it.
        private func work() {
            for pool in pools { pool.actIfDue(at: now) }
            inspectIfDue()
            deliver()
            startWaiting()
            retireIfDue()
        }

        private func handle(_ event: epoll_event) {
            guard event.data.u64 != Self.bellNumber else {
                var count: UInt64 = 0
                _ = read(driver.bell, &count, 8)
                return
            }
            // A pool can be gone by now; its sockets are too.
            let number = UInt32(truncatingIfNeeded: event.data.u64 >> 32)
            pools.first { $0.number == number }?.act(
                on: Int32(truncatingIfNeeded: event.data.u64 & 0xFFFF_FFFF),
                events: event.events
            )
        }

        /// Remembers a transfer that has something to hand over at the end of the turn.
        func touch(_ transfer: CurlTransfer) { touched.append(transfer) }

        private func deliver() {
            while !touched.isEmpty {
                swap(&delivering, &touched)
                for transfer in delivering { transfer.deliver() }
                delivering.removeAll(keepingCapacity: true)
            }
        }

        /// How long there is nothing to do, in milliseconds; -1 for ever.
        private var timeout: Int32 {
            guard touched.isEmpty else { return 0 }
            var moment = min(inspection ?? .max, retirement ?? .max)
            for pool in pools { moment = min(moment, pool.deadline ?? .max) }
            guard moment < .max else { return -1 }
            let left = moment > now ? moment - now : 0
            return Int32(min((left + 999_999) / 1_000_000, 1 << 30))
        }

        // MARK: Limits

        /// Asks for the idle limits to be looked at.
        func inspect(at moment: UInt64) {
            inspection = min(inspection ?? moment, moment)
        }

        private func inspectIfDue() {
            guard let moment = inspection, moment <= now else { return }
            inspection = nil
            for pool in pools { pool.inspect(at: now) }
        }

        /// Closes the pools that have rested for long enough, and with them their connections.
        private func retireIfDue() {
            retirement = nil
            for pool in pools {
                guard let start = pool.restingSince(now) else { continue }
                let moment = start + (pool.key.isUpgrade ? 0 : configuration.restingTime.inNanoseconds)
                if moment <= now {
                    pool.close()
                    pools.removeAll { $0 === pool }
                } else {
                    retirement = min(retirement ?? moment, moment)
                }
            }
        }

        private func endAll() {
            let error = NetworkError(.transportUnavailable, "the CurlTransport was shut down")
            for exchange in queue.removeWaiting() { exchange.resolve(.failure(error), isWhole: true) }
            for pool in pools { pool.failAll(with: error) }
            deliver()
            for pool in pools { pool.close() }
            pools = []
        }
    }

    extension CurlExchange {
        /// The idle limit in nanoseconds.
        fileprivate var idleLimit: UInt64 { request.timeLimits.idle?.inNanoseconds ?? 1 << 62 }
    }
#endif

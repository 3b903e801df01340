#if canImport(Glibc)
    /// What to ask the kernel next, and what is known when all is answered.
    ///
    /// It asks for three lists, one after another, since a socket can have one answer under way. Notices that come meanwhile and
    /// afterwards are folded in. Where messages were lost or cannot be read, everything is to be asked for anew.
    struct NetlinkConversation: Sendable {
        private var table = RouteTable()
        private var awaited: NetlinkList?
        /// Lists to ask for after the awaited one.
        private var wanted: Set<NetlinkList> = []
        private var sequence = UInt32(0)
        /// How many datagrams could not be read since all was known.
        private var brokenDatagrams = 0

        /// How many of them there may be before the kernel's answers are given up.
        static let mostBrokenDatagrams = 10

        /// Why the kernel's answers are of no use, if they are not.
        private(set) var failure: String?

        /// Whether everything is to be asked for, once nothing is left to read: at first, and after messages were lost.
        private(set) var mustBegin = true

        /// Whether all that was asked for has been answered.
        var isSettled: Bool { awaited == nil && wanted.isEmpty && failure == nil && !mustBegin }

        /// What is known now. It is whole only if the conversation is settled.
        func path(kind: (NetlinkLink) -> NetworkInterface.Kind) -> NetworkPath { table.path(kind: kind) }

        /// Begins, or begins anew.
        ///
        /// - Returns: What to send.
        mutating func begin() -> [UInt8]? {
            mustBegin = false
            awaited = nil
            wanted = Set(NetlinkList.allCases)
            return next()
        }

        /// Notes that messages were lost.
        mutating func noteLoss() { mustBegin = true }

        /// Takes in a datagram.
        ///
        /// - Returns: What to send then, if anything.
        mutating func take(_ datagram: [UInt8]) -> [UInt8]? {
            let reader = NetlinkReader(datagram)
            if reader.isBroken { noteBrokenDatagram() }
            if reader.isInterrupted { mustBegin = true }
            for (message, number) in reader.messages {
                switch message {
                case .lost: mustBegin = true
                case .done where number == sequence: awaited = nil
                case .refused(let error) where number == sequence: noteRefusal(error)
                default: if table.apply(message), number == 0 { wanted.insert(.routes) }
                }
            }
            let request = awaited == nil && !mustBegin ? next() : nil
            if isSettled { brokenDatagrams = 0 }
            return request
        }

        private mutating func noteBrokenDatagram() {
            mustBegin = true
            brokenDatagrams += 1
            if brokenDatagrams > Self.mostBrokenDatagrams { failure = "the kernel's answers cannot be read" }
        }

        private mutating func noteRefusal(_ error: Int32) {
            guard let awaited, error != 0 else { return }  // Zero acknowledges.
            // EBUSY: an answer to an earlier question is still under way.
            if error == 16 {
                mustBegin = true
            } else {
                failure = "the kernel does not list its \(awaited): error \(error)"
            }
        }

        /// Asks for the next list that is wanted.
        private mutating func next() -> [UInt8]? {
            guard let list = NetlinkList.allCases.first(where: wanted.contains) else { return nil }
            wanted.remove(list)
            awaited = list
            table.forget(list)
            sequence &+= 1
            return Self.request(list, sequence)
        }

        /// `struct nlmsghdr` and `struct rtgenmsg`, whose family says "all".
        private static func request(_ list: NetlinkList, _ sequence: UInt32) -> [UInt8] {
            let size = UInt32(Netlink.headerSize + 4)
            var bytes: [UInt8] = []
            withUnsafeBytes(of: size) { bytes += $0 }
            withUnsafeBytes(of: list.request) { bytes += $0 }
            withUnsafeBytes(of: Netlink.requestsDump) { bytes += $0 }
            withUnsafeBytes(of: sequence) { bytes += $0 }
            return bytes + [UInt8](repeating: 0, count: 8)  // The sender, which the kernel fills in, and the family.
        }
    }
#endif

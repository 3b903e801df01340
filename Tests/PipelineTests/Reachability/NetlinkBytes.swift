#if canImport(Glibc)
    /// Messages as the kernel writes them.
    enum NetlinkBytes {
        static func message(
            _ type: UInt16,
            flags: UInt16 = 0,
            sequence: UInt32 = 0,
            length: UInt32? = nil,
            _ content: [UInt8]
        ) -> [UInt8] {
            bytes(length ?? UInt32(16 + content.count)) + bytes(type) + bytes(flags) + bytes(sequence)
                + bytes(UInt32(0))
                + padded(content)
        }

        static func done(_ sequence: UInt32) -> [UInt8] { message(3, sequence: sequence, bytes(Int32(0))) }

        static func refusal(_ error: Int32, _ sequence: UInt32) -> [UInt8] {
            message(2, sequence: sequence, bytes(-error) + [UInt8](repeating: 0, count: 16))
        }

        /// - Parameter flags: Up and running unless told otherwise.
        static func link(
            _ index: Int32,
            _ name: String,
            type: UInt16 = 16,
            flags: UInt32 = 0x41,
            family: UInt8 = 0,
            maker: String? = nil,
            sequence: UInt32 = 0
        ) -> [UInt8] {
            var content = [family, 0] + bytes(UInt16(1)) + bytes(index) + bytes(flags) + bytes(UInt32.max)
            content += attribute(3, Array(name.utf8) + [0])
            if let maker { content += attribute(18 | 0x8000, attribute(1, Array(maker.utf8) + [0])) }
            return message(type, sequence: sequence, content)
        }

        static func address(
            _ address: [UInt8],
            on link: Int32,
            type: UInt16 = 20,
            peer: [UInt8]? = nil,
            sequence: UInt32 = 0
        ) -> [UInt8] {
            var content = [family(address), 24, 0, 0] + bytes(link)
            content += attribute(1, peer ?? address)
            content += attribute(2, address)
            return message(type, sequence: sequence, content)
        }

        /// - Parameters:
        ///   - destination: The address of the network, four bytes or sixteen.
        ///   - length: How many of its bits count; none for a default route.
        ///   - links: Where it leads; more than one makes it one with several ways.
        static func route(
            _ destination: [UInt8],
            _ length: UInt8,
            over links: Int32...,
            type: UInt16 = 24,
            flags: UInt16 = 0,
            routeType: UInt8 = 1,
            routeFlags: UInt32 = 0,
            priority: UInt32 = 0,
            table: UInt32 = 254,
            sequence: UInt32 = 0
        ) -> [UInt8] {
            var content = [family(destination), length, 0, 0, UInt8(truncatingIfNeeded: table), 2, 0, routeType]
            content += bytes(routeFlags) + attribute(15, bytes(table))
            if length > 0 { content += attribute(1, destination) }
            if priority > 0 { content += attribute(6, bytes(priority)) }
            if links.count == 1 {
                content += attribute(4, bytes(links[0]))
            } else if !links.isEmpty {
                let hops = links.flatMap { bytes(UInt16(16)) + [0, 0] + bytes($0) + attribute(5, [192, 0, 2, 1]) }
                content += attribute(9, hops)
            }
            return message(type, flags: flags, sequence: sequence, content)
        }

        static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
            bytes(UInt16(4 + value.count)) + bytes(type) + padded(value)
        }

        static func bytes(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

        private static func padded(_ bytes: [UInt8]) -> [UInt8] {
            bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
        }

        private static func family(_ address: [UInt8]) -> UInt8 { address.count == 4 ? 2 : 10 }
    }
#endif

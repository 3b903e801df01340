#if canImport(Glibc)
    import Foundation

    extension NetlinkLink {
        /// What the interface is connected to.
        ///
        /// - Parameter has: Whether the kernel shows a property of the interface, a file of its folder in `/sys/class/net`.
        func kind(has: (String) -> Bool) -> NetworkInterface.Kind {
            if has("wireless") || has("phy80211") { return .wifi }
            let isMobile = ["wwan", "ppp", "rmnet", "wwp"].contains { name.hasPrefix($0) }
            if isMobile { return .cellular }
            let isEthernet = hardware == 1  // ARPHRD_ETHER
            return isEthernet && (maker == "veth" || maker == nil && has("device")) ? .wired : .other
        }

        /// What the interface is connected to, as this machine's kernel shows it.
        var kind: NetworkInterface.Kind {
            // The kernel allows no slash in a name, and no name that is a dot or two.
            kind { FileManager.default.fileExists(atPath: "/sys/class/net/\(name)/\($0)") }
        }
    }
#endif

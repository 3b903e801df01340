#if canImport(Glibc)
    import CCurl
    import Foundation

    /// Reads what libcurl measured.
    struct CurlMetrics {
        /// The last address, for the next request mostly goes there too.
        private var lastAddress = ""
        /// Its numbers as libcurl tells them, zero at the end included.
        private var lastNumbers: [CChar] = []
        private var lastPort = 0

        /// Reads times and facts of a transfer.
        ///
        /// - Parameters:
        ///   - easy: The handle, before it is used for anything else.
        ///   - queued: How long the request waited in line, in nanoseconds. libcurl counts from the end of that.
        ///   - version: The version of TLS, if there is any.
        ///   - cipher: The cipher suite.
        mutating func read(
            from easy: ccurl_easy,
            queued: UInt64,
            version: UnsafePointer<CChar>?,
            cipher: UnsafePointer<CChar>?
        ) -> AttemptMetrics {
            let wait = Duration.nanoseconds(Int64(queued))
            /// libcurl tells microseconds, and zero for what did not happen.
            func time(_ info: Int) -> Duration? {
                let microseconds = ccurl_easy_offset(easy, Int32(info))
                return microseconds > 0 ? wait + .microseconds(microseconds) : nil
            }
            var metrics = AttemptMetrics()
            metrics.queued = wait
            let isReused = ccurl_easy_long(easy, Int32(CCURL_INFO_NUM_CONNECTS)) == 0
            metrics.isReusedConnection = isReused
            if !isReused {
                metrics.nameLookup = time(CCURL_INFO_NAMELOOKUP_TIME_T)
                metrics.connected = time(CCURL_INFO_CONNECT_TIME_T)
                metrics.secured = time(CCURL_INFO_APPCONNECT_TIME_T)
            }
            metrics.firstByte = time(CCURL_INFO_STARTTRANSFER_TIME_T)
            metrics.total = time(CCURL_INFO_TOTAL_TIME_T)
            metrics.remoteAddress = address(of: easy)
            metrics.tlsVersion = version.map { String(cString: $0) }
            metrics.tlsCipher = cipher.map { String(cString: $0) }
            return metrics
        }

        private mutating func address(of easy: ccurl_easy) -> String? {
            guard let text = ccurl_easy_string(easy, Int32(CCURL_INFO_PRIMARY_IP)), text.pointee != 0 else {
                return nil
            }
            let port = ccurl_easy_long(easy, Int32(CCURL_INFO_PRIMARY_PORT))
            let size = strlen(text) + 1
            if port == lastPort, size == lastNumbers.count, memcmp(text, lastNumbers, size) == 0 { return lastAddress }
            lastNumbers = Array(UnsafeBufferPointer(start: text, count: size))
            lastPort = port
            let numbers = String(cString: text)
            lastAddress = numbers.contains(":") ? "[\(numbers)]:\(port)" : "\(numbers):\(port)"
            return lastAddress
        }
    }
#endif

#if canImport(Glibc)
    import CCurl
    import Foundation

    /// Where a handle sends its next request. libcurl keeps it taken apart, from one request to the next.
    final class CurlURL {
        private let easy: ccurl_easy
        private let url: ccurl_url?
        /// What stands before the path in the URL that libcurl keeps apart.
        private var origin: [CChar] = []
        /// Whether the handle reads the parts and not the text.
        private var isApart = false

        init(_ easy: ccurl_easy) {
            self.easy = easy
            url = ccurl_url_create()
        }

        /// The handle reads it, so that must be freed before.
        deinit { ccurl_url_free(url) }

        /// Directs the handle to an address.
        func set(_ address: CurlAddress) {
            let wasApart = isApart
            isApart = keepApart(address)
            // Setting this forgets the text, in libcurl 8.12 and later.
            if isApart != wasApart { ccurl_easy_set_pointer(easy, Int32(CCURL_OPT_CURLU), isApart ? url : nil) }
            // Also if it is apart: it is what libcurl falls back on where it begins a request anew.
            ccurl_easy_set_pointer(easy, Int32(CCURL_OPT_URL), address.text)
        }

        private func keepApart(_ address: CurlAddress) -> Bool {
            guard url != nil, let length = address.originLength else { return false }
            if origin.count != length || memcmp(origin, address.text, length) != 0 {
                origin = []
                guard set(CCURL_UPART_URL, address.text) else { return false }
                origin = Array(UnsafeBufferPointer(start: address.text, count: length))
            }
            return set(CCURL_UPART_PATH, address.path) && set(CCURL_UPART_QUERY, address.query)
        }

        private func set(_ part: Int, _ text: UnsafePointer<CChar>?) -> Bool {
            ccurl_url_set(url, Int32(part), text, UInt32(CCURL_U_PATH_AS_IS)) == 0
        }
    }
#endif

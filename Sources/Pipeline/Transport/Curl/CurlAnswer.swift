#if canImport(Glibc)
    import Foundation

    /// What the loop brings.
    ///
    /// It is handed on through several functions that wait, each of which would keep a copy on the heap.
    final class CurlAnswer: Sendable {
        enum Body: Sendable {
            case whole(Data)
            case stream(BodyPipe)
            case chain([VerifiedCertificate])
        }

        let status: Int
        let version: HTTPVersion?
        /// The lines of the head; they are read by the task that asked.
        let lines: [UInt8]
        let trailers: [UInt8]
        let announcedLength: Int?
        let body: Body
        let metrics: AttemptMetrics

        init(_ head: ResponseHeadReader, body: Body, metrics: AttemptMetrics) {
            status = head.status
            version = head.version
            lines = head.lines
            trailers = head.trailers
            announcedLength = head.announcedLength
            self.body = body
            self.metrics = metrics
        }
    }
#endif

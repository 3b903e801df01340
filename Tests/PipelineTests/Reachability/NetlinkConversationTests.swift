#if canImport(Glibc)
    @testable import Pipeline
    import Testing

    struct NetlinkConversationTests {
        typealias Bytes = NetlinkBytes

        /// The type of a request, and its number.
        func summary(_ request: [UInt8]?) throws -> [UInt32] {
            let request = try #require(request)
            return [UInt32(request[4]), UInt32(request[8])]
        }

        /// One that has heard of a wired machine; its last request had the number 3.
        func settled() -> NetlinkConversation {
            var conversation = NetlinkConversation()
            _ = conversation.begin()
            _ = conversation.take(Bytes.link(2, "eth0", sequence: 1) + Bytes.done(1))
            _ = conversation.take(Bytes.address([192, 0, 2, 9], on: 2, sequence: 2) + Bytes.done(2))
            let own = Bytes.route([192, 0, 2, 9], 32, over: 2, routeType: 2, table: 255, sequence: 3)
            _ = conversation.take(own + Bytes.route([0, 0, 0, 0], 0, over: 2, sequence: 3) + Bytes.done(3))
            return conversation
        }

        func status(of conversation: NetlinkConversation) -> NetworkPath.Status? {
            conversation.isSettled ? conversation.path { _ in .wired }.status : nil
        }

        @Test func `asks for links, addresses and routes, one after another`() throws {
            var conversation = NetlinkConversation()
            #expect(conversation.mustBegin)
            #expect(try summary(conversation.begin()) == [18, 1])
            #expect(conversation.take(Bytes.link(2, "eth0", sequence: 1)) == nil)
            #expect(try summary(conversation.take(Bytes.done(1))) == [22, 2])
            #expect(conversation.take(Bytes.done(1)) == nil)  // The end of another list.
            #expect(try summary(conversation.take(Bytes.done(2))) == [26, 3])
            #expect(!conversation.isSettled)
            #expect(conversation.take(Bytes.done(3)) == nil)
            #expect(conversation.isSettled)
        }

        @Test func `folds in notices, and asks for routes again when a link changed`() throws {
            var conversation = settled()
            #expect(status(of: conversation) == .satisfied)
            #expect(conversation.take(Bytes.route([0, 0, 0, 0], 0, over: 2, type: 25)) == nil)
            #expect(status(of: conversation) == .unsatisfied)
            #expect(try summary(conversation.take(Bytes.link(2, "eth0", flags: 0))) == [26, 4])
            #expect(status(of: conversation) == nil)
            #expect(conversation.take(Bytes.done(4)) == nil)
            #expect(status(of: conversation) == .unsatisfied)
        }

        @Test(arguments: [
            Bytes.message(4, []), Bytes.message(16, length: 3, []), Bytes.message(3, flags: 0x10, sequence: 3, []),
        ])
        func `asks for everything again after messages were lost or cannot be read`(datagram: [UInt8]) throws {
            var conversation = settled()
            #expect(conversation.take(datagram) == nil)
            #expect(conversation.mustBegin)
            #expect(status(of: conversation) == nil)
            #expect(try summary(conversation.begin()) == [18, 4])
        }

        @Test func `forgets what is told anew`() {
            var conversation = settled()
            conversation.noteLoss()
            _ = conversation.begin()
            for number in UInt32(4)...6 { _ = conversation.take(Bytes.done(number)) }
            #expect(status(of: conversation) == .unsatisfied)
        }

        @Test func `gives up where the kernel refuses, or cannot be read for long`() {
            var refused = NetlinkConversation()
            _ = refused.begin()
            _ = refused.take(Bytes.refusal(1, 9))  // Another's.
            #expect(refused.failure == nil)
            _ = refused.take(Bytes.refusal(1, 1))
            #expect(refused.failure == "the kernel does not list its links: error 1")

            var busy = NetlinkConversation()
            _ = busy.begin()
            _ = busy.take(Bytes.refusal(16, 1))
            #expect(busy.mustBegin && busy.failure == nil)

            var broken = settled()
            for _ in 0..<NetlinkConversation.mostBrokenDatagrams { _ = broken.take([1, 2, 3]) }
            #expect(broken.failure == nil)
            _ = broken.take([1, 2, 3])
            #expect(broken.failure == "the kernel's answers cannot be read")
        }
    }
#endif

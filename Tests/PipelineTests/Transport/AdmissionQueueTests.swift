import Pipeline
import Testing

struct AdmissionQueueTests {
    let a = Origin("http://a.test")!
    let b = Origin("http://b.test")!

    @Test func `admits as many as there is room for, at each host and in all`() {
        let queue = Line<String>(perHost: 2, inAll: 3)

        #expect(queue.admit("a1", to: a, priority: 0))
        #expect(queue.admit("a2", to: a, priority: 0))
        #expect(!queue.admit("a3", to: a, priority: 0))
        #expect(queue.admit("b1", to: b, priority: 0))
        #expect(!queue.admit("b2", to: b, priority: 0))
        #expect(queue.next() == nil)
    }

    @Test func `a full host holds up nobody who goes elsewhere`() {
        let queue = Line<String>(perHost: 1, inAll: 2)
        #expect(queue.admit("a1", to: a, priority: 0))
        #expect(!queue.admit("a2", to: a, priority: 9))

        #expect(queue.admit("b1", to: b, priority: 0))
    }

    @Test func `lets those of higher priority go first, and equals in order`() {
        let queue = Line<String>(perHost: 1, inAll: 1)
        #expect(queue.admit("running", to: a, priority: 0))
        for (name, priority) in [("low 1", UInt8(1)), ("high 1", 9), ("low 2", 1), ("high 2", 9), ("middle", 5)] {
            #expect(!queue.admit(name, to: name.hasSuffix("2") ? b : a, priority: priority))
        }

        var order: [String] = []
        var last = a
        while true {
            queue.leave(last)
            guard let next = queue.next() else { break }
            order.append(next)
            last = next.hasSuffix("2") ? b : a
        }

        #expect(order == ["high 1", "high 2", "middle", "low 1", "low 2"])
        #expect(queue.isEmpty)
    }

    @Test func `nobody overtakes those who wait at the same host`() {
        let queue = Line<String>(perHost: 1, inAll: 9)
        #expect(queue.admit("1", to: a, priority: 5))
        #expect(!queue.admit("2", to: a, priority: 5))
        queue.leave(a)

        #expect(!queue.admit("3", to: a, priority: 5))
        #expect(queue.next() == "2")
    }

    @Test func `keeps its order however long the line is`() {
        let queue = Line<Int>(perHost: 1, inAll: 1)
        for number in 0..<10_000 { _ = queue.admit(number, to: a, priority: 5) }

        for number in 1..<10_000 {
            queue.leave(a)
            #expect(queue.next() == number)
        }
    }

    @Test func `counts each host by itself while others come and go`() {
        let queue = Line<String>(perHost: 1, inAll: 100)
        #expect(queue.admit("a1", to: a, priority: 0))
        for number in 0..<50 {  // So many that the table of hosts grows.
            #expect(queue.admit("other", to: Origin("http://\(number).test")!, priority: 0))
            #expect(!queue.admit("a2", to: a, priority: 0))
        }
        for number in 0..<50 { queue.leave(Origin("http://\(number).test")!) }

        #expect(queue.next() == nil)
        queue.leave(a)
        #expect(queue.next() == "a2")
    }

    @Test func `gives away all who wait`() {
        let queue = Line<Int>(perHost: 1, inAll: 1)
        for number in 0..<5 { _ = queue.admit(number, to: number < 3 ? a : b, priority: 5) }

        #expect(Set(queue.removeWaiting()) == [1, 2, 3, 4])
        queue.leave(a)
        #expect(queue.isEmpty)
        #expect(queue.next() == nil)
    }
}

/// The queue behind a reference, since expectations cannot change values.
private final class Line<Element> {
    private var queue: AdmissionQueue<Element>

    init(perHost: Int, inAll: Int) { queue = AdmissionQueue(perHost: perHost, inAll: inAll) }

    var isEmpty: Bool { queue.isEmpty }

    func admit(_ element: Element, to origin: Origin, priority: UInt8) -> Bool {
        queue.admit(element, to: origin, priority: priority)
    }

    func leave(_ origin: Origin) { queue.leave(origin) }

    func next() -> Element? { queue.next() }

    func removeWaiting() -> [Element] { queue.removeWaiting() }
}

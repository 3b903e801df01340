import Testing

@testable import Pipeline

@Suite(.timeLimit(.minutes(3)))
struct DemandGateTests {
    @Test func `lets as many pass as are wanted`() async {
        let gate = DemandGate()
        gate.want(2)
        gate.want(1)
        for _ in 0..<3 { #expect(await gate.pass()) }
        gate.close()

        #expect(await gate.pass() == false)
    }

    @Test func `lets all pass once all are wanted`() async {
        let gate = DemandGate()
        gate.want(nil)
        gate.want(1)
        for _ in 0..<100 { #expect(await gate.pass()) }
    }

    @Test func `who waits goes on when more is wanted, or nothing any more`() async {
        let gate = DemandGate()
        async let first = gate.pass()
        gate.want(1)
        #expect(await first)
        async let second = gate.pass()
        gate.close()
        #expect(await second == false)
    }

    @Test(arguments: 0..<100)
    func `none is lost between many who want and one who passes`(round: Int) async {
        let gate = DemandGate()
        let passed = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    gate.want(1)
                    return 0
                }
            }
            group.addTask {
                var count = 0
                while count < 20, await gate.pass() { count += 1 }
                return count
            }
            return await group.reduce(0, +)
        }

        #expect(passed == 20)
    }
}

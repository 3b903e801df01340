import Testing

@testable import PipelineActions

struct RetryPaymentTests {
    @Test(arguments: [
        // What happens to a payment of 14 out of 100, and what is there afterwards.
        ("forgotten", 100), ("spent, forgotten", 86), ("spent, given back, forgotten", 100),
        ("spent, given back, given back", 100), ("given back, forgotten", 100),
    ])
    func `what was never sent costs nothing, and nothing is given back twice`(play: String, rest: Int) throws {
        let budget = RetryBudget(capacity: 100)
        #expect(budget.take(20))  // So that it shows if too much is given back.
        do {
            let payment = try #require(budget.pay(14))
            #expect(budget.available == 66)
            for step in play.split(separator: ", ") {
                if step == "spent" { payment.spend() }
                if step == "given back" { payment.giveBack() }
            }
        }
        #expect(budget.available == rest - 20)
    }

    @Test func `nothing is taken where there is too little`() {
        let budget = RetryBudget(capacity: 13)
        #expect(budget.pay(14) == nil)
        #expect(budget.available == 13)
    }
}

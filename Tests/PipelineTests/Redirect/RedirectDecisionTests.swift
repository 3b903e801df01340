import Testing

@testable import Pipeline

struct RedirectDecisionTests {
    @Test(arguments: [
        (307, "POST", true), (308, "POST", true), (301, "POST", false), (302, "POST", false), (303, "POST", false),
        (302, "GET", true), (303, "HEAD", true), (307, "DELETE", true), (302, "DELETE", false), (200, "GET", false),
        (304, "GET", false), (503, "POST", false),
    ])
    func `tells redirects that have done nothing from those that may have`(status: Int, method: String, isUndone: Bool)
    {
        let (status, method) = (HTTPStatus(status), HTTPMethod(rawValue: method))
        #expect(RedirectDecision.sendsElsewhere(status, method) == isUndone)
    }
}

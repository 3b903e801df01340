import Pipeline
import Testing

struct HTTPStatusTests {
    @Test(arguments: [
        (HTTPStatus.ok, "200 OK"), (404, "404 Not Found"), (413, "413 Content Too Large"),
        (422, "422 Unprocessable Content"), (510, "510 Not Extended"), (299, "299"), (418, "418"), (-1, "-1"),
    ])
    func `describes itself with the reason that is registered`(status: HTTPStatus, text: String) {
        #expect(status.description == text)
    }

    @Test(arguments: [
        (99, HTTPStatus.Kind.other), (100, .informational), (199, .informational), (200, .success), (299, .success),
        (300, .redirection), (399, .redirection), (400, .clientError), (499, .clientError), (500, .serverError),
        (599, .serverError), (600, .other), (-200, .other),
    ])
    func `goes by the first digit`(code: Int, kind: HTTPStatus.Kind) {
        #expect(HTTPStatus(code).kind == kind)
    }

    @Test func `forbids a body for 1xx, 204, 205 and 304 only`() {
        let forbidding = (0...999).filter { HTTPStatus($0).forbidsBody }
        #expect(forbidding == Array(100...199) + [204, 205, 304])
    }

    @Test func `has an order`() {
        #expect(([500, 200, 404] as [HTTPStatus]).sorted() == [200, 404, 500])
    }
}

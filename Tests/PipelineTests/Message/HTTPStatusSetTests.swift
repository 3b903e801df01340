import Pipeline
import Testing

struct HTTPStatusSetTests {
    @Test(arguments: [
        ("200-299,404", "200-299,404"), ("404, 200-299", "200-299,404"), (" 200 - 299 , 404 ", "200-299,404"),
        ("200,201,202", "200-202"), ("200-250,240-299", "200-299"), ("200-299,300-399", "200-399"), ("404", "404"),
        ("404-404", "404"), ("404,404", "404"), ("100-999", "100-999"), ("all", "all"), ("none", "none"),
    ])
    func `reads a set and writes it in the shortest form`(text: String, shortest: String) throws {
        let set = try HTTPStatusSet(parsing: text)
        #expect(set.description == shortest)
        #expect(try HTTPStatusSet(parsing: set.description) == set)
    }

    @Test(arguments: [
        "", ",", "200,", "200-", "-200", "299-200", "20", "2000", "099", "+20", "+200", "2 0 0", "200-299-300", "2xx",
        "200;404", "２００", "200\n", "ALL",
    ])
    func `refuses what is no set`(text: String) {
        #expect(throws: MalformedValue.self) { try HTTPStatusSet(parsing: text) }
    }

    @Test func `contains both ends of a closed range and not the end of an open one`() {
        #expect((198...301).filter { HTTPStatusSet.success.contains(HTTPStatus($0)) } == Array(200...299))
        #expect((198...301).filter { HTTPStatusSet(200..<300).contains(HTTPStatus($0)) } == Array(200...299))
        #expect(HTTPStatusSet(200..<200) == [])
    }

    @Test func `unites`() {
        #expect(HTTPStatusSet.success.union([304, 300]).description == "200-300,304")
        #expect(HTTPStatusSet.success.union([]) == .success)
        #expect(([200, 201] as HTTPStatusSet) == HTTPStatusSet(200...201))
    }

    @Test func `holds the largest and the smallest numbers without overflow`() {
        #expect(HTTPStatusSet.all.contains(HTTPStatus(.max)) && HTTPStatusSet.all.contains(HTTPStatus(.min)))
        #expect(HTTPStatusSet.all.union(.success) == .all)
        #expect(HTTPStatusSet(0...Int.max).union(HTTPStatusSet(Int.min...(-1))) == .all)
        #expect(HTTPStatusSet(Int.max...Int.max).union([200]).description == "200,\(Int.max)")
    }
}

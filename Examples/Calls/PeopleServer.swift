import Foundation
import PipelineTesting

/// A service of people on a real socket.
final class PeopleServer: Sendable {
    private let server: LoopbackServer
    private let unfinishedSearch = LoopbackGate()

    init() throws {
        server = try LoopbackServer()
        // Nobody's friend is told of before all three are asked for: who asks one after the other waits for ever.
        let together = LoopbackGate(opensAfter: 3)
        server.handle("GET", "/people/:id") { request in
            let id = request.parameters["id"] ?? ""
            return .json(#"{"id": \#(id), "name": "Friend \#(id)", "friends": []}"#).after(.wait(together))
        }
        server.handle("GET", "/people/1") { _ in .json(#"{"id": 1, "name": "Ada", "friends": [2, 3, 4]}"#) }
        server.handle("GET", "/search") { [unfinishedSearch] request in
            request.query == "q=ada"
                ? .json(#"["Ada"]"#) : .json(#"["somebody else"]"#).after(.wait(unfinishedSearch))
        }
    }

    var url: URL { server.url }

    /// Waits until so many searches have come that nobody lets finish.
    func untilSearched(_ count: Int) async { await unfinishedSearch.arrival(count) }
}

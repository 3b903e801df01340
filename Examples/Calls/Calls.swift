import Foundation
import Pipeline

/// Calls that need each other's answers, that run side by side, and that the next keystroke ends: `swift run Calls`.
///
/// It compares what came of them with what should. Any difference ends it with status 1.
@main
struct Calls {
    static func main() async {
        do {
            let server = try PeopleServer()
            let network = Network(baseURL: server.url)

            let names = try await namesOfFriends(of: 1, on: network)
            print("One call, then three side by side: \(names.joined(separator: ", "))")

            let (shown, ends) = await search(on: network, and: server)
            print("Three keystrokes: \(ends.joined(separator: ", ")); on the screen: \(shown.joined(separator: ", "))")

            let isAsExpected =
                names == ["Friend 2", "Friend 3", "Friend 4"] && shown == ["Ada"]
                && ends == ["cancelled", "cancelled", "shown"]
            print(isAsExpected ? "All as expected." : "Not as expected.")
            exit(isAsExpected ? 0 : 1)
        } catch {
            print("Calls failed: \(error)")
            exit(1)
        }
    }

    /// Nested: the second calls need the answer of the first. Parallel: they do not wait for each other, and if one fails the
    /// others are cancelled.
    static func namesOfFriends(of id: Int, on network: Network) async throws -> [String] {
        let person = try await network.send(GetPerson(id: id))
        return try await withThrowingTaskGroup(of: Person.self) { group in
            for friend in person.friends { group.addTask { try await network.send(GetPerson(id: friend)) } }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.id < $1.id }.map(\.name)
        }
    }

    @MainActor
    static func search(on network: Network, and server: PeopleServer) async -> (shown: [String], ends: [String]) {
        let search = Search(network)
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        search.textDidChange("a") { ended.yield() }
        await server.untilSearched(1)
        search.textDidChange("ad") { ended.yield() }
        await server.untilSearched(2)
        search.textDidChange("ada") { ended.yield() }
        for await _ in ends.prefix(3) {}
        return (search.shown, search.ends.sorted())
    }
}

import Foundation
import Pipeline
import PipelineActions

/// A client that logs in once, renews its token when the server asks for it, and hears when it is logged out: `swift run Login`.
///
/// It compares what the server was asked with what should have been asked. Any difference ends it with status 1.
@main
struct Login {
    /// What the server is asked to give: one token for the login, and one renewal for each end of it, however many requests
    /// meet that end at once.
    static let expected = ["POST /login", "POST /token", "POST /token"]

    static func main() async {
        do {
            let server = try AccountServer()
            let client = Client(server.url)
            try await client.logIn(name: "ada", password: "secret")
            print("Logged in: \(try await client.notes())")

            server.expireTokens()
            print("Expired: \(try await client.notes(times: 5).count) requests went on")

            server.endLogin()
            let end = await client.untilLoggedOut()
            print("Logged out: \(end?.description ?? "no")")

            for line in server.log { print("  \(line)") }
            let grants = server.log.filter { $0.hasPrefix("POST") }
            let isAsExpected = grants == expected && end == .authenticationRejected
            print(isAsExpected ? "All as expected." : "Not as expected.")
            exit(isAsExpected ? 0 : 1)
        } catch {
            print("Login failed: \(error)")
            exit(1)
        }
    }
}

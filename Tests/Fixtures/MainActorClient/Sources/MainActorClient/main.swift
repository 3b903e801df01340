import Foundation
import Pipeline
import PipelineActions

let session = Session()
var configuration = NetworkConfiguration()
configuration.monitors = [PrintingMonitor()]
configuration.timeLimits.total = .seconds(60)
let network = Network(
    baseURL: URL(string: "https://api.test"),
    actions: [FailureCount(session: session), RetryAction(), TokenAction(session: session)],
    transport: StubTransport(),
    configuration: configuration
)

let model = UserListModel(network: network)
await model.load()
expect(model.users.map(\.name) == ["Ada", "Grace"], "decoded values")
await model.untilChanged { model.loadText() }
expect(model.text == "hello", "a completion that touches its own state")
try await model.loadTelling()
expect(model.text == "hellohello" && model.bytes == 10, "progress that touches its own state")
expect(await model.loadMissing() == 404, "an error's status")
expect(model.message == "not here", "an error's message")
expect(session.failures == 1, "a hook that touches main-actor state")

expect(try await network.send(GetUser(id: 1)).name == "Ada", "a nested response")
expect(try await network.send(FindNobody()) == nil, "an optional response")
expect(try await network.send(GetBytes()) == Data("hello".utf8), "bytes")
try await network.send(Ping())
expect(try await network.send(CreateUser(name: "Ada")) == User(name: "Ada"), "body: self")
expect(try await network.send(GetMe()) == "Me", "custom properties")
expect(try await network.send(GetBusy()) == "at last", "a retry")
expect(try await network.send(UsersAPI.user(id: 1)).isEmpty == false, "a request that is an enumeration")
expect(try await network.reply(to: GetText().configured { $0.tag = "text" }).status == 200, "options for one send")
expect(try await network.result(of: UsersAPI.list).get().isEmpty == false, "a result")

let plain = NetworkRequest(url: URL(string: "https://api.test/text")!)
for try await chunk in try await network.send(plain).body { expect(chunk.count == 5, "a network request as a request") }

let onQueue = await withCheckedContinuation { continuation in
    network.send(GetText(), on: .global()) { continuation.resume(returning: $0) }
}
expect(try onQueue.get() == "hello", "a completion on a queue")
print("MainActorClient: ok")

func expect(_ condition: Bool, _ what: String) {
    guard !condition else { return }
    print("FAILED: \(what)")
    exit(1)
}

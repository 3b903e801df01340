import Foundation
import Pipeline
import PipelineActions

#if canImport(Combine)
    import Combine
#endif
#if canImport(Network)
    import Network
#endif
#if canImport(Security)
    import Security
#endif

// A client in Swift 5 mode, on completion handlers.

struct User: Codable {
    let name: String
}

struct GetUser: Request {
    typealias Response = User

    let id: Int

    func buildRequest(with baseURL: URL) throws -> NetworkRequest {
        NetworkRequest(url: try baseURL.joining("users/\(id)"), customProperties: ["isImportant": true])
    }
}

struct StubTransport: Transport {
    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        NetworkResponse(status: 200, body: .bytes(Data(#"{"name": "Ada"}"#.utf8)), request: request)
    }
}

class HeaderAction: RequestWillBeginCallbackAction, @unchecked Sendable {  // It has no state.
    func requestWillBegin(_ request: NetworkRequest, completion: ActionCompletion<RequestDecision>) {
        var request = request
        if request.customProperties["isImportant"] as? Bool == true { request.headers["Priority"] = "u=1" }
        DispatchQueue.global().async { [request] in completion(.proceed(request)) }
    }
}

/// A view controller, as it would be with UIKit.
@MainActor
class UserViewController {
    var title: String?
    let network: Network

    init(network: Network) { self.network = network }

    func viewDidLoad() {
        network.send(GetUser(id: 1)) { result in
            switch result {
            case .success(let user):
                self.title = user.name
            case .failure(let error):
                self.title = error.description
            }
            print("Swift5Client: \(self.title == "Ada" ? "ok" : "FAILED")")
            exit(self.title == "Ada" ? 0 : 1)
        }
    }
}

let network = Network(
    baseURL: URL(string: "https://api.test")!,
    actions: [HeaderAction()],
    transport: StubTransport()
)
MainActor.assumeIsolated { UserViewController(network: network).viewDidLoad() }
dispatchMain()

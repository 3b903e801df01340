// Apple's modules, imported beside Pipeline: what would be ambiguous or hidden does not compile here.

import Foundation
import Pipeline

#if canImport(Network)
    // The module and a class of Pipeline have the same name. `Network` is the class, so the module's declarations are
    // used without the module's name.
    import Network

    final class Reachability {
        private let monitor = NWPathMonitor()
        private(set) var isReachable = true
        let network: Network

        init(network: Network) { self.network = network }

        func start() {
            monitor.pathUpdateHandler = { [weak self] path in
                let isReachable = path.status == .satisfied
                Task { @MainActor in self?.isReachable = isReachable }
            }
            monitor.start(queue: .main)
        }
    }
#endif

#if canImport(Combine)
    import Combine

    final class Screen: ObservableObject {
        @Published var title = ""
        private var cancellable: (any Cancellable)?
        private var request: (any Request)?
        private var failure: Subscribers.Completion<NetworkError>?
    }
#endif

#if canImport(Security)
    import Security

    struct Keychain {
        func store(_ token: Data) -> Bool {
            let item = [kSecClass: kSecClassGenericPassword, kSecValueData: token as NSData] as NSDictionary
            return SecItemAdd(item, nil) == errSecSuccess
        }
    }
#endif

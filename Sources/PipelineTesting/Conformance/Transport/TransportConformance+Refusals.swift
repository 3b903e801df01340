import Foundation
import Pipeline

extension TransportConformance {
    /// What cannot be done is refused before anything leaves, never left out in silence.
    static let refusalCases: [Case] =
        ["file:///etc/hostname", "ftp://127.0.0.1/a", "data:text/plain,a", "gopher://127.0.0.1/a", "ws://127.0.0.1/a"]
        .map {
            address in
            Case("refuses \(address)") { stage in
                guard let url = URL(string: address) else { throw stage.broken("a URL", saw: address) }
                try await stage.expectFailure(.invalidRequest, reach: .no, of: NetworkRequest(url: url))
            }
        } + [
            Case("refuses a URL without a host") { stage in
                guard let url = URL(string: "/users") else { throw stage.broken("a URL", saw: "/users") }
                try await stage.expectFailure(.invalidRequest, reach: .no, of: NetworkRequest(url: url))
            },
            Case("checks pins before the request leaves, or refuses them") { stage in
                var request = stage.request()
                request.tls = TLSPolicy(pins: ["127.0.0.1": ["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]])
                // Over plain http there is no chain that could hold the pin: nobody may let this request through.
                if stage.transport.capabilities.contains(.pinning) {
                    try await stage.expectFailure(.pinMismatch, .tlsHandshake, .invalidRequest, reach: .no, of: request)
                } else {
                    try await stage.expectFailure(.pinningUnsupported, reach: .no, of: request)
                }
                try stage.expect("the number of requests sent", stage.server.requests.count, is: 0)
            },
            Case("sends nothing once it was shut down") { stage in
                await stage.transport.shutdown()
                try await stage.expectFailure(.transportUnavailable, reach: .no, of: stage.request())
                try stage.expect("the number of requests sent", stage.server.requests.count, is: 0)
            },
            Case("can be shut down twice") { stage in
                await stage.transport.shutdown()
                await stage.transport.shutdown()
                try await stage.expectFailure(.transportUnavailable, reach: .no, of: stage.request())
            },
            Case("ends what runs when it is shut down") { stage in
                stage.server.handle { _ in .never }
                let sending = Task { try await stage.failure(of: stage.request()) }
                _ = await stage.server.nextRequest()
                await stage.transport.shutdown()
                let error = try await sending.value
                try stage.expect(error, in: [.transportUnavailable, .cancelled, .connectionLost], reach: .maybe)
            },
        ]
}

import Foundation
import Pipeline

extension TransportConformance {
    /// The head of a request arrives as it was given (RFC 9110, section 9 and 5; RFC 9112, section 3).
    static let requestCases: [Case] =
        methodCases + [
            Case("sends the path and the query byte for byte") { stage in
                let target = "/a%20b/%2F/c;d=1,2/%C3%A9/?q=1%2B1&r=%23&s=a/b?c&t"
                try await stage.expect("the target", stage.received(stage.request(.get, target)).target, is: target)
            },
            Case("names host and port in the Host field") { stage in
                let host = try await stage.received(stage.request()).values(of: "Host")
                try stage.expect("Host", host, is: ["127.0.0.1:\(stage.server.port)"])
            },
            Case("leaves user, password and fragment of a URL out of what it sends, or refuses them") { stage in
                let address = "http://ada:secret@127.0.0.1:\(stage.server.port)/private#part"
                guard let url = URL(string: address) else { throw stage.broken("a URL", saw: address) }
                do {
                    let request = try await stage.received(NetworkRequest(url: url))
                    try stage.expect("the target", request.target, is: "/private")
                    try stage.expect("Authorization", request.values(of: "Authorization"), is: [])
                } catch let error as NetworkError {
                    try stage.expect(error, in: [.invalidRequest], reach: .no)
                }
            },
            Case("sends header fields as given") { stage in
                let headers: HTTPHeaders = [
                    "X-Plain": "one two", "X-Marks": #"a="b,c"; d=(e)"#, "Accept": "application/json, */*;q=0.1",
                    "User-Agent": "Conformance/1 (test)", "Authorization": "Bearer abc.def==",
                ]
                let request = try await stage.received(stage.request(headers: headers))
                for field in headers {
                    try stage.expect(field.name.spelling, request.values(of: field.name.spelling), is: [field.value])
                }
            },
            Case("sends a header field with an empty value") { stage in
                let request = try await stage.received(stage.request(headers: ["X-Empty": ""]))
                try stage.expect("X-Empty", request.values(of: "X-Empty"), is: [""])
            },
            Case("sends header field values in UTF-8") { stage in
                let request = try await stage.received(stage.request(headers: ["X-Name": "Zoë"]))
                try stage.expect("X-Name", request.values(of: "X-Name"), is: ["Zoë"])
            },
            Case("keeps the order of fields with the same name") { stage in
                var headers = HTTPHeaders()
                for value in ["1", "2", "3"] { headers.append(name: "X-Step", value: value) }
                let values = try await stage.received(stage.request(headers: headers)).values(of: "X-Step")
                // Joined with a comma they mean the same (RFC 9110, section 5.3).
                let parts = values.joined(separator: ",").filter { $0 != " " }
                try stage.expect("X-Step", parts, is: "1,2,3")
            },
            Case("keeps fields of one name apart and in their places, if it claims exact headers") { stage in
                guard stage.transport.capabilities.contains(.exactHeaders) else { return }
                var headers = HTTPHeaders()
                for (name, value) in [("X-a", "1"), ("x-B", "2"), ("X-A", "3"), ("X-c", "4")] {
                    headers.append(name: HTTPFieldName(name), value: value)
                }
                let fields = try await stage.received(stage.request(headers: headers)).headers
                let own = fields.filter { $0.name.lowercased().hasPrefix("x-") }.map { "\($0.name)=\($0.value)" }
                try stage.expect("the fields", own, is: ["X-a=1", "x-B=2", "X-A=3", "X-c=4"])
            },
            Case("reports the request that it sent") { stage in
                let request = stage.request(.put, "/thing", headers: ["X-A": "1"])
                let response = try await stage.exchange(request).response
                try stage.expect("the request received", stage.server.requests.map(\.target), is: ["/thing"])
                try stage.expect("the method", response.request.method, is: .put)
                try stage.expect("the URL", response.url, is: request.url)
            },
        ]

    private static let methods: [HTTPMethod] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, "PROPFIND", "X-OWN",
    ]

    private static let methodCases = methods.map { method in
        Case("sends \(method)") { stage in
            let request = try await stage.received(stage.request(method))
            try stage.expect("the method", request.method, is: method.rawValue)
            try stage.expect("the size of the body", request.bodyByteCount, is: 0)
        }
    }
}

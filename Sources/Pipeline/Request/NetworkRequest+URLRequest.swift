#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension NetworkRequest {
    /// Creates a request from one of Foundation's.
    ///
    /// Carried over are the URL, the method, the header fields, a body in `httpBody`, and a time limit: `timeoutInterval`
    /// becomes ``TimeLimits/idle`` unless it is the 60 seconds that every `URLRequest` begins with. The fields come sorted
    /// by name, since a `URLRequest` has no order. `Content-Length`, `Transfer-Encoding` and the other fields that belong to
    /// the transport are dropped, because it sets them from the body anyway. The body's media type is that of the
    /// `Content-Type` field, which stays.
    ///
    /// - Throws: ``NetworkError`` `invalid-request` if there is no URL or the body is a stream, which cannot be carried over;
    ///   `option-unsupported`, naming the option, for a cache policy that asks for a cache and for restrictions on the
    ///   networks to use, which would be lost.
    public init(_ urlRequest: URLRequest) throws(NetworkError) {
        guard let url = urlRequest.url else {
            throw NetworkError(.invalidRequest, "the URLRequest has no URL", reach: .no)
        }
        guard urlRequest.httpBodyStream == nil else {
            throw NetworkError(
                .invalidRequest,
                "the URLRequest has an httpBodyStream, which cannot be carried over; use RequestBody.stream",
                reach: .no
            )
        }
        if let option = urlRequest.unsupportedOption {
            throw NetworkError(.optionUnsupported, "the URLRequest sets \(option), which would be lost", reach: .no)
        }
        let headers = HTTPHeaders(
            (urlRequest.allHTTPHeaderFields ?? [:])
                .map { HTTPField(name: HTTPFieldName($0.key), value: $0.value) }
                .filter { !$0.name.isOwnedByTransport }
                .sorted { $0.name.spelling < $1.name.spelling }
        )
        var body = RequestBody.none
        if let data = urlRequest.httpBody {
            body = headers[.contentType].map { .bytes(data, contentType: $0) } ?? .bytes(data)
        }
        self.init(method: HTTPMethod(rawValue: urlRequest.httpMethod ?? "GET"), url: url, headers: headers, body: body)
        if urlRequest.timeoutInterval != URLRequest.initialTimeout {
            timeLimits.idle = .seconds(urlRequest.timeoutInterval)
        }
    }
}

extension URLRequest {
    /// Creates one of Foundation's requests.
    ///
    /// Carried over are the URL, the method, the header fields, bytes, a file, which is read into memory, and
    /// ``TimeLimits/idle`` as `timeoutInterval`. Fields of one name are joined with a comma (RFC 9110, section 5.3). A body
    /// brings its `Content-Type` unless the fields have one. What only a send knows, such as custom properties, the other
    /// time limits or what counts as acceptable, has no place in a `URLRequest` and stays behind.
    ///
    /// - Throws: ``NetworkError`` `invalid-request` for what must not be sent and for a body that is a stream or a value not
    ///   encoded yet; `file-failed` if the file cannot be read; `option-unsupported` if the request asks something of
    ///   transport security, which would be lost.
    public init(_ request: NetworkRequest) throws(NetworkError) {
        try request.check()
        if let tls = request.tls, tls != TLSPolicy() {
            throw NetworkError(
                .optionUnsupported,
                "the request asks something of TLS, which a URLRequest cannot carry",
                reach: .no
            )
        }
        self.init(url: request.url)
        setHead(of: request)
        httpBody = try Self.bytes(of: request.body)
        if httpBody != nil, let type = request.body.contentType, !request.headers.contains(.contentType) {
            setValue(type, forHTTPHeaderField: "Content-Type")
        }
        if let idle = request.timeLimits.idle, idle < .unlimited { timeoutInterval = idle.inSeconds }
    }

    /// What `timeoutInterval` is until somebody sets it, in seconds.
    fileprivate static let initialTimeout: Double = 60

    private static func bytes(of body: RequestBody) throws(NetworkError) -> Data? {
        switch body.content {
        case nil:
            return nil
        case .bytes(let data):
            return data
        case .file(let url):
            do { return try Data(contentsOf: url) } catch {
                throw NetworkError(
                    .fileFailed,
                    "the file of the request body, \(url.lastPathComponent), cannot be read",
                    underlying: error,
                    reach: .no
                )
            }
        case .stream, .multipart:
            throw NetworkError(.invalidRequest, "a body stream cannot be carried into a URLRequest", reach: .no)
        case .value:
            throw NetworkError(
                .invalidRequest,
                "the body is a value that is encoded when the request is sent; a URLRequest needs its bytes",
                reach: .no
            )
        }
    }

    /// Sets the method and the header fields.
    mutating func setHead(of request: NetworkRequest) {
        httpMethod = request.method.rawValue
        for field in request.headers {
            let name = field.name.spelling
            guard let earlier = value(forHTTPHeaderField: name) else {
                setValue(field.value, forHTTPHeaderField: name)
                continue
            }
            // RFC 6265, section 5.4: cookies are parted by semicolons, whatever RFC 9110 says of other fields.
            setValue(earlier + (field.name == .cookie ? "; " : ", ") + field.value, forHTTPHeaderField: name)
        }
    }

    /// The name of an option that nothing in a ``NetworkRequest`` stands for, if one is set.
    fileprivate var unsupportedOption: String? {
        switch cachePolicy {
        case .useProtocolCachePolicy, .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: break
        default: return "a cachePolicy that asks for a cache"
        }
        if !allowsCellularAccess { return "allowsCellularAccess" }
        #if canImport(Darwin)
            if !allowsConstrainedNetworkAccess { return "allowsConstrainedNetworkAccess" }
            if !allowsExpensiveNetworkAccess { return "allowsExpensiveNetworkAccess" }
        #endif
        return nil
    }
}

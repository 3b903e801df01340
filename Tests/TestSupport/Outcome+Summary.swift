import Pipeline

extension Outcome {
    /// The status, or the code of the error.
    package var summary: String {
        switch self {
        case .success(let response): "\(response.status.code)"
        case .failure(let error): error.code.rawValue
        }
    }

    package var status: Int? { (try? get())?.status.code }
}

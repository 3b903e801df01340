/// Says that a command line cannot be meant.
struct UsageError: Error, Hashable, CustomStringConvertible {
    /// What is wrong with it. It repeats no value that may be a secret.
    let description: String

    init(_ description: String) { self.description = description }
}

/// Standard error: everything that is not the answer. What cannot be written there is lost, since nobody is left to tell.
enum Console {
    /// Writes lines of the log.
    static func log(_ lines: String) { try? Output.standardError.write(lines) }

    /// Writes the one line of an error.
    ///
    /// - Returns: The status given, to end with.
    static func report(_ error: String, _ status: ExitStatus) -> ExitStatus {
        log("error: \(error)\n")
        return status
    }
}

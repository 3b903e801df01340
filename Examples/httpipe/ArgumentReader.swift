/// Takes a command line apart into options and operands.
///
/// The value of an option is the next argument, whatever it looks like; long options also take it after an equals sign.
/// After `--` all arguments are operands.
struct ArgumentReader {
    enum Word {
        case option(String)
        case operand(String)
    }

    private var rest: ArraySlice<String>
    private var onlyOperands = false
    /// What stood behind the equals sign of the last option.
    private var attached: String?

    init(_ arguments: [String]) { rest = arguments[...] }

    /// The next option or operand.
    mutating func next() -> Word? {
        guard let argument = rest.popFirst() else { return nil }
        if onlyOperands || !argument.hasPrefix("-") || argument == "-" { return .operand(argument) }
        if argument == "--" {
            onlyOperands = true
            return next()
        }
        guard argument.hasPrefix("--"), let sign = argument.firstIndex(of: "=") else { return .option(argument) }
        attached = String(argument[argument.index(after: sign)...])
        return .option(String(argument[..<sign]))
    }

    /// The value of the option that was read last.
    mutating func value(of name: String) throws(UsageError) -> String {
        defer { attached = nil }
        guard let value = attached ?? rest.popFirst() else { throw UsageError("\(name) needs a value") }
        return value
    }

    /// The value of the option that was read last, as one of a few names.
    mutating func choice<Value>(
        of name: String,
        among values: KeyValuePairs<String, Value>
    ) throws(UsageError) -> Value {
        let text = try value(of: name)
        guard let value = values.first(where: { $0.key == text })?.value else {
            throw UsageError("\(name) is one of: \(values.map(\.key).joined(separator: ", "))")
        }
        return value
    }
}

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
    /// The last option, and what stood behind its equals sign, until that is read.
    private var attached: (name: String, value: String)?

    init(_ arguments: [String]) { rest = arguments[...] }

    /// The next option or operand.
    ///
    /// - Throws: ``UsageError`` if the last option came with a value that it does not take.
    mutating func next() throws(UsageError) -> Word? {
        if let attached { throw UsageError("\(attached.name) takes no value") }
        guard let argument = rest.popFirst() else { return nil }
        if onlyOperands || !argument.hasPrefix("-") || argument == "-" { return .operand(argument) }
        if argument == "--" {
            onlyOperands = true
            return try next()
        }
        guard argument.hasPrefix("--"), let sign = argument.firstIndex(of: "=") else { return .option(argument) }
        let name = String(argument[..<sign])
        attached = (name, String(argument[argument.index(after: sign)...]))
        return .option(name)
    }

    /// The value of the option that was read last.
    mutating func value(of name: String) throws(UsageError) -> String {
        defer { attached = nil }
        guard let value = attached?.value ?? rest.popFirst() else { throw UsageError("\(name) needs a value") }
        return value
    }

    /// The value of the option that was read last, if it has one: behind an equals sign, or the next word.
    ///
    /// - Parameter takesWord: Whether the next word, unless it is an option, can only be the value.
    mutating func optionalValue(orNextWord takesWord: Bool) -> String? {
        defer { attached = nil }
        if let attached { return attached.value }
        guard takesWord, let word = rest.first, !word.hasPrefix("-") else { return nil }
        return rest.popFirst()
    }

    /// The value of the option that was read last, as a name and what stands behind its equals sign.
    mutating func pair(of name: String) throws(UsageError) -> (name: String, value: String) {
        let text = try value(of: name)
        guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
            throw UsageError("write \(name) NAME=VALUE")
        }
        return (String(text[..<sign]), String(text[text.index(after: sign)...]))
    }

    /// The value of the option that was read last, as one of a few names.
    mutating func choice<Value>(
        of name: String,
        among values: KeyValuePairs<String, Value>
    ) throws(UsageError) -> Value {
        let text = try choice(of: name, among: values.map(\.key))
        return values.first { $0.key == text }!.value
    }

    /// The value of the option that was read last, which must be one of these.
    mutating func choice(of name: String, among values: [String]) throws(UsageError) -> String {
        let text = try value(of: name)
        guard values.contains(text) else { throw UsageError("\(name) is one of: \(values.joined(separator: ", "))") }
        return text
    }
}

/// What stood on the command line, by option.
struct ParsedArguments: Sendable {
    private var values: [String: [String]] = [:]
    /// The arguments that are not options, in order.
    var operands: [String] = []

    mutating func add(_ value: String, to option: CommandOption) {
        values[option.long, default: []].append(value)
    }

    func has(_ long: String) -> Bool { values[long] != nil }

    /// All values of an option, in order.
    subscript(all long: String) -> [String] { values[long] ?? [] }

    /// The value of an option that stands once.
    subscript(long: String) -> String? { values[long]?.last }

    /// The value of an option that the parser has found to be there.
    func required(_ long: String) throws(ToolError) -> String {
        guard let value = self[long] else { throw ToolError(.usage, "the option --\(long) is missing") }
        return value
    }

    /// The value as a whole number within a range.
    func integer(_ long: String, in range: ClosedRange<Int64>) throws(ToolError) -> Int64? {
        guard let text = self[long] else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text),
            range.contains(number)
        else {
            throw ToolError(
                .usage,
                "--\(long) takes a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }

    /// The value as a date, in seconds since 1970.
    func date(_ long: String) throws(ToolError) -> Int64? {
        guard let text = self[long] else { return nil }
        guard let seconds = Timestamp.seconds(text) else {
            throw ToolError(
                .usage,
                "--\(long) takes a date such as 2026-01-01T00:00:00Z or seconds since 1970"
            )
        }
        return seconds
    }

    /// Refuses two options that exclude each other.
    func exclude(_ first: String, _ second: String) throws(ToolError) {
        guard has(first), has(second) else { return }
        throw ToolError(.usage, "--\(first) and --\(second) exclude each other")
    }
}

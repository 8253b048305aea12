import CGetopt
import Glibc
import Locking

/// Reads a command line with the C library's `getopt_long`, whose tables are made from a command's options.
enum OptionParser {
    /// getopt has one state for the whole process, and tests run commands side by side.
    private static let lock = Mutex(())
    /// Where the numbers start of options that have no letter.
    private static let firstNumber: Int32 = 256

    /// Reads what follows the words of a command.
    ///
    /// - Throws: ``ToolError`` with code `usage`; no message repeats a value.
    static func parse(_ arguments: [String], for command: Command) throws(ToolError) -> ParsedArguments {
        let result = lock.withLock { _ in Result { () throws(ToolError) in try scan(arguments, command) } }
        let parsed = try result.get()
        guard !parsed.has("help") else { return parsed }
        for option in command.options {
            guard !option.isRequired || parsed.has(option.long) else {
                throw ToolError(.usage, "the option --\(option.long) is missing")
            }
            guard option.isRepeatable || parsed[all: option.long].count <= 1 else {
                throw ToolError(.usage, "the option --\(option.long) stands twice")
            }
            if case .choice(let names) = option.kind, let value = parsed[option.long], !names.contains(value)
            {
                throw ToolError(.usage, "--\(option.long) takes one of \(names.joined(separator: ", "))")
            }
        }
        try checkOperands(parsed.operands, command)
        return parsed
    }

    static func hints(_ command: Command) -> [String] {
        ["usage: \(command.usage)", "'\(command.name) --help' says more"]
    }

    private static func checkOperands(_ operands: [String], _ command: Command) throws(ToolError) {
        let required = command.operands.filter { !$0.isOptional }
        guard operands.count >= required.count else {
            throw ToolError(.usage, "\(required[operands.count].name) is missing")
        }
        guard command.operands.last?.isRepeatable == true || operands.count <= command.operands.count else {
            throw ToolError(.usage, "there are too many arguments")
        }
        for (operand, value) in zip(command.operands, operands) {
            guard case .choice(let names) = operand.kind, !names.contains(value) else { continue }
            throw ToolError(.usage, "\(operand.name) is one of \(names.joined(separator: ", "))")
        }
    }

    private static func scan(_ arguments: [String], _ command: Command) throws(ToolError) -> ParsedArguments {
        let numbers = command.options.indices.map { index in
            command.options[index].short?.asciiValue.map(Int32.init) ?? firstNumber + Int32(index)
        }
        // Nil where there is no memory; freed below whatever getopt did to the order.
        let texts = unsafe (["protection"] + arguments).map { unsafe strdup($0) }
        let names = unsafe command.options.map { unsafe strdup($0.long) }
        defer { unsafe (texts + names).forEach { unsafe free($0) } }
        guard unsafe !texts.contains(nil), unsafe !names.contains(nil) else {
            throw ToolError(.internalError, "there is no memory for the command line")
        }
        var table = unsafe zip(command.options.indices, names).map { index, name in
            let hasValue: Int32 = command.options[index].valueName == nil ? 0 : 1
            return unsafe option(name: name, has_arg: hasValue, flag: nil, val: numbers[index])
        }
        unsafe table.append(option(name: nil, has_arg: 0, flag: nil, val: 0))
        // The leading colon tells a missing value from an unknown option.
        let letters = command.options.reduce(into: ":") { letters, option in
            guard let short = option.short else { return }
            letters.append(short)
            if option.valueName != nil { letters.append(":") }
        }
        var vector = unsafe texts + [nil]
        var parsed = ParsedArguments()
        cgetopt_reset()
        var step = unsafe cgetopt_step()
        while true {
            unsafe step = unsafe cgetopt_next(Int32(texts.count), &vector, letters, table)
            guard unsafe step.number != -1 else { break }
            if let index = unsafe numbers.firstIndex(of: step.number) {
                let value = unsafe step.value.map { unsafe String(cString: $0) } ?? ""
                parsed.add(command.options[index].valueName == nil ? "" : value, to: command.options[index])
                continue
            }
            let argument = unsafe vector[Int(step.next) - 1].map { unsafe String(cString: $0) } ?? ""
            throw unsafe fault(step, in: argument, numbers, command)
        }
        for index in unsafe Int(step.next)..<texts.count {
            if let text = unsafe vector[index] { parsed.operands.append(unsafe String(cString: text)) }
        }
        return parsed
    }

    private static func fault(
        _ step: cgetopt_step,
        in argument: String,
        _ numbers: [Int32],
        _ command: Command
    ) -> ToolError {
        let culprit = unsafe step.culprit
        let known = culprit == 0 ? nil : numbers.firstIndex(of: culprit).map { command.options[$0] }
        if unsafe step.number == Int32(UInt8(ascii: ":")), let known {
            return ToolError(.usage, "--\(known.long) needs a value")
        }
        if let known { return ToolError(.usage, "--\(known.long) takes no value") }
        // Only a letter is told; of a long option that is not there, getopt tells nothing.
        guard culprit == 0 else {
            let letter = UInt8(exactly: culprit).map { String(Unicode.Scalar($0)) } ?? "?"
            return ToolError(.usage, "there is no option -\(letter.escapingControls)")
        }
        // A value behind the equals sign may be a secret.
        let name = String(argument.dropFirst(2).prefix { $0 != "=" })
        let longs = command.options.map(\.long)
        let matches = longs.filter { $0.hasPrefix(name) }
        if matches.count > 1 {
            let list = matches.map { "--\($0)" }.joined(separator: ", ")
            return ToolError(.usage, "--\(name) is short for several: \(list)")
        }
        let guess = Suggestion.nearest(to: name, among: longs).map { ["did you mean --\($0)?"] } ?? []
        return ToolError(.usage, "there is no option --\(name.escapingControls)", hints: guess)
    }
}

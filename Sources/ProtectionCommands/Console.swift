import Encodings

/// Where a command writes, and in what form.
struct Console: Sendable {
    private let surroundings: Surroundings
    /// Whether the output is JSON.
    let isJSON: Bool

    init(_ surroundings: Surroundings, isJSON: Bool) {
        self.surroundings = surroundings
        self.isJSON = isJSON
    }

    /// Whether octets for people go to a terminal, which obeys control characters.
    var isTerminal: Bool { surroundings.isOutputTerminal && !isJSON }

    /// The style of standard output.
    var style: TextStyle { style(surroundings.isOutputTerminal) }

    private func style(_ isTerminal: Bool) -> TextStyle {
        // https://no-color.org: any value that is not empty.
        let wantsNone = surroundings.environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return TextStyle(isOn: isTerminal && !wantsNone && surroundings.environment["TERM"] != "dumb")
    }

    /// Writes lines of text.
    func write(_ text: String) throws {
        try surroundings.writeOutput(Array("\(text)\n".utf8))
    }

    /// Writes octets as they are.
    func write(octets: [UInt8]) throws {
        try surroundings.writeOutput(octets)
    }

    /// Writes one line of JSON.
    func write(_ value: JSONValue) throws {
        try surroundings.writeOutput(value.serialized() + [UInt8(ascii: "\n")])
    }

    /// Writes a line to standard error.
    func note(_ text: String) {
        surroundings.writeErrors(Array("\(text)\n".utf8))
    }

    /// Whether standard error is a terminal.
    var isErrorsTerminal: Bool { surroundings.isErrorsTerminal }

    /// Writes to standard error as it is, for a terminal.
    func draw(_ text: String) { surroundings.writeErrors(Array(text.utf8)) }

    /// Writes a warning to standard error.
    func warn(_ text: String) {
        note(style(surroundings.isErrorsTerminal).bold("warning: ") + text)
    }

    /// Reports why the command failed: as JSON on standard output, or for people on standard error.
    func report(_ error: ToolError) {
        if isJSON, (try? write(error.json)) != nil { return }
        note(style(surroundings.isErrorsTerminal).red("protection: ") + error.description)
        for hint in error.hints { note(hint) }
    }
}

/// A regular expression for URLs that the service leaves alone.
struct ExclusionPattern: Sendable {
    let source: String
    // `Regex` is not Sendable because one may hold custom parsers; one compiled from text holds none and never changes.
    private nonisolated(unsafe) let regex: Regex<AnyRegexOutput>

    init(_ source: String) throws {
        self.source = source
        unsafe regex = try Regex(source)
    }

    /// Whether the expression is found anywhere in the text.
    func matches(_ text: String) -> Bool {
        (try? unsafe regex.firstMatch(in: text)) != nil
    }
}

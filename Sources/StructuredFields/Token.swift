/// A token of section 3.3.4 of RFC 9651: a short word such as `gzip` or `text/html`.
///
/// It starts with a letter or `*` and goes on with the characters of an HTTP token, `:` and `/`. A token and a string
/// of the same text are different values.
public struct Token: Sendable, Hashable, CustomStringConvertible {
    /// The text, which is ASCII and not empty.
    public let text: String

    /// Makes a token.
    ///
    /// - Throws: ``StructuredFieldError`` with `invalidToken` and the offset of the first octet that keeps the text
    ///   from being one.
    public init(_ text: String) throws(StructuredFieldError) {
        if let fault = Grammar.faultInToken(text) { throw StructuredFieldError(.invalidToken, at: fault) }
        self.text = text
    }

    /// Takes text that the reader has already checked.
    init(checked text: String) {
        self.text = text
    }

    /// The text.
    public var description: String { text }
}

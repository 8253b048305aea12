/// The media types that this library knows.
enum MediaType {
    static let json = "application/json"
    static let problem = "application/problem+json"
    static let form = "application/x-www-form-urlencoded"

    /// Whether a `Content-Type` says `application/problem+json`, whatever its parameters.
    static func isProblem(_ value: String) -> Bool {
        let type = value.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        return type.filter { $0 != " " && $0 != "\t" }.lowercased() == problem
    }
}

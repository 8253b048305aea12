/// The reasons of the vectors and the codes of this package.
enum Reason {
    /// The name of the code for a reason such as `field-missing`.
    static func name(_ reason: String) -> String {
        let words = reason.split(separator: "-")
        return (words.prefix(1) + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() })
            .joined()
    }
}

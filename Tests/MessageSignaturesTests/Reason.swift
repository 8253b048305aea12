import MessageSignatures

/// The reasons of the vectors and the codes of this package.
enum Reason {
    /// Whether a code is the one for a reason such as `field-missing`.
    static func matches(_ reason: String, _ code: SignatureError.Code?) -> Bool {
        let name = reason.filter { $0 != "-" }
        // The vectors are in British English, the names of Swift in American.
        let known = name == "unserialisableparameter" ? "unserializableparameter" : name
        return code?.description.lowercased() == known
    }
}

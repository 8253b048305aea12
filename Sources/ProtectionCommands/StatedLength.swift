import MessageSignatures

/// What `Content-Length` says of some content (RFC 9110, section 8.6).
enum StatedLength {
    /// Why the field does not go with content of so many octets; nil when it does, or is not there.
    static func fault(of fields: [FieldLine], content count: Int) -> String? {
        let lengths = fields.filter { $0.name == "content-length" }
        guard let field = lengths.first else { return nil }
        let digits = field.canonicalValue(.http1)
        guard lengths.count == 1, !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let length = Int(String(decoding: digits, as: UTF8.self))
        else { return "Content-Length is not one number" }
        return count == length ? nil : "the content has \(count) octets, and Content-Length says \(length)"
    }
}

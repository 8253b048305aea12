import HTTPMessages

/// Turns headers as a caller writes them into fields.
enum HeaderFields {
    /// The fields of a dictionary, in the order of their names.
    ///
    /// - Throws: ``APIError`` with code `invalidHeader` for a name that is not a token, a value that a field cannot hold,
    ///   or two names that differ in case only.
    static func make(_ headers: [String: String]) throws(APIError) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            let field = try field(name, value)
            guard !fields.contains(field.name) else {
                throw APIError(.invalidHeader, "a header is named twice")
            }
            fields.append(field)
        }
        return fields
    }

    private static func field(_ name: String, _ value: String) throws(APIError) -> HTTPField {
        do throws(HTTPMessageError) { return try HTTPField(try HTTPField.Name(name), value) } catch {
            throw APIError(.invalidHeader, "a header cannot be sent", underlying: error)
        }
    }
}

import HTTPMessages

extension HTTPRequest {
    /// The request with those fields of a session that it has none of its own for.
    func adding(_ sessionFields: HTTPFields) -> HTTPRequest {
        var request = self
        for field in sessionFields where !fields.contains(field.name) { request.fields.append(field) }
        return request
    }
}

public import HTTPMessages

extension ProtectionService {
    /// Does to a request all that the service does, without sending it.
    ///
    /// - Parameters:
    ///   - request: The request as the app made it.
    ///   - sessionFields: Fields that the session adds when the request does not have them.
    /// - Returns: What to do, and the request to send.
    public func updateRequest(
        _ request: HTTPRequest,
        sessionFields: HTTPFields = HTTPFields()
    ) async -> RequestUpdate {
        await RequestProcessor(state: snapshot, service: self).update(request, sessionFields: sessionFields)
    }

    /// The fields that a redirect must not carry to another origin, beside those that every client keeps back: the token's,
    /// the trace identifier's, bound and substituted ones.
    ///
    /// ``ProtectedSession`` heeds them. They are for a `RedirectInterceptor` of one's own.
    public var fieldsOfOneOrigin: [HTTPField.Name] {
        let settings = snapshot.settings
        return [settings.tokenHeader.name] + [settings.traceIDHeader].compactMap(\.self)
            + settings.bindingHeaders
            + settings.substitutionHeaders.map(\.name)
    }

    /// The request to send, for transports other than ``ProtectedSession``.
    ///
    /// - Throws: ``ProtectionError``, what a hook of the mutator throws, or `CancellationError`, when the request must
    ///   not be sent.
    public func protect(
        _ request: HTTPRequest,
        sessionFields: HTTPFields = HTTPFields()
    ) async throws -> HTTPRequest {
        let update = await updateRequest(request, sessionFields: sessionFields)
        if let error = update.error { throw error }
        return update.request
    }
}

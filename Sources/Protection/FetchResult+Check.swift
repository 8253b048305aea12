extension FetchResult {
    /// The result itself, or an internal error in place of a success whose token a header field cannot carry.
    func checked() -> FetchResult {
        guard status == .success, !token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return self }
        return FetchResult(
            status: .internalError,
            arc: arc,
            traceID: traceID,
            detail: "the token is not a text of visible ASCII",
            isConfigurationChanged: isConfigurationChanged
        )
    }
}

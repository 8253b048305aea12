import HTTPMessages

/// A request that is answered before a handler sees it.
struct Refusal: Error {
    let status: HTTPStatus

    static let badRequest = Refusal(status: .badRequest)
    static let contentTooLarge = Refusal(status: .contentTooLarge)
    static let versionNotSupported = Refusal(status: HTTPStatus.httpVersionNotSupported)
}

extension HTTPStatus {
    static let httpVersionNotSupported = (try? HTTPStatus(505)) ?? .badRequest
}

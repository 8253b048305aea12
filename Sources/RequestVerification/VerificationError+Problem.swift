import AppAttestation
public import HTTPMessages

extension VerificationError {
    /// The answer for a client: a problem of RFC 9457 with the members `type`, `title`, `status`, `detail` and `code`.
    ///
    /// It says what ``code`` says, and nothing of the request. The clients of this library act on `unknownKey`,
    /// `counterNotAdvanced` and `counterOvertaken`.
    public var problem: HTTPResponse {
        var response = ProblemResponse.problem(status, code: code.description, detail: detail)
        if status == .serviceUnavailable { response.fields.append(HTTPField(.retryAfter, literal: "5")) }
        return response
    }

    /// Not the message, which may tell more.
    private var detail: String {
        switch status {
        case .badRequest: "the request is not in its form"
        case .unauthorized: "the request does not prove what it must"
        case .conflict: "another request came first"
        default: "the request cannot be verified now"
        }
    }
}

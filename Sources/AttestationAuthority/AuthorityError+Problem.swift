import AppAttestation
import HTTPMessages

extension AuthorityError {
    /// The answer that a client gets for the error at the endpoints of attestations.
    var problem: HTTPResponse {
        var name = code.description
        if code == .invalidAttestation, let cause = underlying as? AttestationError {
            name = cause.code.description
        }
        var response = ProblemResponse.problem(status, code: name, detail: message)
        if code == .methodNotAllowed { response.fields.append(HTTPField("Allow", literal: "POST")) }
        if status == .serviceUnavailable {
            response.fields.append(HTTPField(.retryAfter, literal: "5"))
        }
        return response
    }

    private var status: HTTPStatus {
        switch code {
        case .malformedRequest: .badRequest
        case .methodNotAllowed: .methodNotAllowed
        case .unsupportedMediaType: .unsupportedMediaType
        case .contentTooLarge: .contentTooLarge
        // Not 408, after which clients of any kind send the same again: it takes a new session.
        case .invalidNonce, .keyAlreadyBound: .conflict
        case .wrongSession, .invalidAttestation, .notAdmitted: .forbidden
        default: .serviceUnavailable
        }
    }
}

import HTTPMessages
import HTTPServing
import JSONWebTokens
import RequestVerification
import Locking

/// The backend: it knows shapes, and tells them to whoever proves where the request comes from.
final class ShapesAPI: Sendable {
    private struct State {
        var lastToken: String?
        var lastRefusal = "nothing was refused"
    }

    let url: String
    let rootPEM: [UInt8]
    private let server: HTTPServer
    private let state: StateBox

    /// What the handler, which is made before the API itself, and the API share.
    private final class StateBox: Sendable {
        let value = Mutex(State())
    }

    init(certificates: ThrowawayCertificates, keys: JSONWebKeySet, issuer: String) throws {
        let verifier = try RequestVerifier(
            keys: keys,
            policy: .init(issuer: issuer, audience: "localhost", bindingHeaders: [.authorization])
        )
        let state = StateBox()
        server = try HTTPServer(configuration: .init(tls: certificates.server)) { served in
            Self.respond(to: served.request, verifier, state)
        }
        url = "https://localhost:\(server.port)"
        rootPEM = certificates.rootPEM
        self.state = state
    }

    /// The token of the last request, as whoever could read it would have it.
    var lastToken: String? { state.value.withLock { $0.lastToken } }

    /// The line that the backend logged when it last refused a request.
    var lastRefusal: String { state.value.withLock { $0.lastRefusal } }

    private static func respond(
        to request: HTTPRequest,
        _ verifier: RequestVerifier,
        _ state: StateBox
    ) -> HTTPResponse {
        state.value.withLock { $0.lastToken = request.fields["Protection-Token"] }
        if request.target.path == "/health" { return HTTPResponse(status: .ok, body: Array("well".utf8)) }
        do {
            _ = try verifier.verify(request)
            return answer(request)
        } catch {
            state.value.withLock { $0.lastRefusal = "\(error)" }
            return HTTPResponse(status: error.status)
        }
    }

    private static func answer(_ request: HTTPRequest) -> HTTPResponse {
        switch request.target.path {
        case "/shapes": return HTTPResponse(status: .ok, body: Array("a circle".utf8))
        case "/shapes/premium" where request.fields["Api-Key"] == "Key " + DemoAuthority.shapesKey:
            return HTTPResponse(status: .ok, body: Array("an icosahedron".utf8))
        case "/shapes/premium": return HTTPResponse(status: .forbidden)
        default: return HTTPResponse(status: .notFound)
        }
    }
}

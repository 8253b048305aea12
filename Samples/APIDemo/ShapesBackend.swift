import Cryptography
import Encodings
import HTTPMessages
import HTTPServing
import Locking
import Timing

/// An API of shapes on this machine, by TLS, with a certificate that lives as long as the sample.
final class ShapesBackend: Sendable {
    private struct State {
        var orders: [String: String] = [:]
        var contents = 0
    }

    /// What the handler, which is made before the backend itself, and the backend share.
    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    let root: Certificate
    private let server: HTTPServer
    private let shared = Shared()

    init() throws {
        let now = TimeSource.system.secondsSince1970
        let (rootKey, key) = (try PrivateKey.generate(.p256), try PrivateKey.generate(.p256))
        root = try CertificateBuilder(
            commonName: "Sample Root",
            role: .authority(pathLength: 0),
            notBefore: now - 60,
            notAfter: now + 3600
        ).selfSigned(with: rootKey)
        var builder = CertificateBuilder(
            commonName: "localhost",
            role: .server,
            notBefore: now - 60,
            notAfter: now + 3600
        )
        builder.dnsNames = ["localhost"]
        let leaf = try builder.issued(for: key.publicKey, by: root, key: rootKey)
        let tls = HTTPServer.TLS(
            certificateChain: Array(leaf.pem.utf8),
            privateKey: Array(try key.pkcs8PEM().utf8)
        )
        server = try HTTPServer(configuration: .init(tls: tls)) { [shared] request in
            (try? Self.respond(to: request, shared)) ?? HTTPResponse(status: .internalServerError)
        }
    }

    var url: String { "https://localhost:\(server.port)/v1" }

    /// How many orders were taken.
    var orderCount: Int { shared.state.withLock { $0.orders.count } }

    /// How often the drawing was sent whole.
    var contentCount: Int { shared.state.withLock { $0.contents } }

    private static func respond(to request: ServedRequest, _ shared: Shared) throws -> HTTPResponse {
        switch (request.method, request.rawTarget) {
        case (.get, "/v1/shapes"):
            try json(#"[{"id":1,"name":"circle"}]"#, fields: [("Link", #"<?page=2>; rel="next""#)])
        case (.get, "/v1/shapes?page=2"): try json(#"[{"id":2,"name":"square"}]"#)
        case (.get, "/v1/sides"): try json(#"{"items":[3,4],"next":"a/b"}"#)
        case (.get, "/v1/sides?cursor=a%2Fb"): try json(#"{"items":[5],"next":null}"#)
        case (.get, "/v1/shapes/a%2Fb"): try json(#"{"id":3,"name":"a/b"}"#)
        case (.get, "/v1/broken"): try json(#"{"id":"three","name":"triangle"}"#)
        case (.get, "/v1/drawing"): try drawing(for: request, shared)
        case (.post, "/v1/orders"): try order(request, shared)
        case (.delete, "/v1/shapes/1"): HTTPResponse(status: .noContent)
        default:
            try json(
                #"{"type":"https://example.com/no-shape","title":"There is no such shape","sides":7}"#,
                status: .notFound,
                type: "application/problem+json"
            )
        }
    }

    /// Takes each order once, however often it comes, and loses the first answer.
    private static func order(_ request: ServedRequest, _ shared: Shared) throws -> HTTPResponse {
        guard let key = request.fields["Idempotency-Key"] else { return HTTPResponse(status: .badRequest) }
        let known = shared.state.withLock { state in
            let known = state.orders[key]
            state.orders[key] = known ?? #"{"id":\#(state.orders.count + 1),"name":"order"}"#
            return known
        }
        return try known.map { try json($0) } ?? HTTPResponse(status: .serviceUnavailable)
    }

    private static func drawing(for request: ServedRequest, _ shared: Shared) throws -> HTTPResponse {
        let tag = #""v1""#
        guard request.fields["If-None-Match"] != tag else {
            return try json("", status: HTTPStatus(304), fields: [("ETag", tag)])
        }
        shared.state.withLock { $0.contents += 1 }
        return try json(#"{"id":4,"name":"drawing"}"#, fields: [("ETag", tag)])
    }

    private static func json(
        _ text: String,
        status: HTTPStatus = .ok,
        type: String = "application/json",
        fields: [(HTTPField.Name, String)] = []
    ) throws -> HTTPResponse {
        var response = HTTPResponse(status: status, body: Array(text.utf8))
        try response.fields.append(type, for: .contentType)
        for (name, value) in fields { try response.fields.append(value, for: name) }
        return response
    }
}

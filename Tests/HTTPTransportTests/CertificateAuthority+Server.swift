import HTTPMessages
import HTTPServing
import Locking
import TestSupport

extension CertificateAuthority {
    func tls(_ name: String) throws -> HTTPServer.TLS {
        HTTPServer.TLS(certificateChain: try bytes("\(name).pem"), privateKey: try bytes("\(name).key"))
    }

    /// A server that presents a certificate and answers with the URL that it was asked for.
    func server(_ name: String, counting count: Counter = Counter()) throws -> HTTPServer {
        try HTTPServer(configuration: .init(tls: tls(name))) { request in
            count.value.withLock { $0 += 1 }
            return HTTPResponse(status: .ok, body: Array(request.target.absoluteString.utf8))
        }
    }
}

/// Counts the requests that a server has seen.
final class Counter: Sendable {
    let value = Mutex(0)
}

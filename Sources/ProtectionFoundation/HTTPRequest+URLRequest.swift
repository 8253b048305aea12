import Foundation
#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif
public import HTTPMessages

extension HTTPRequest {
    /// Carries a Foundation request over: method, URL, fields, body and time limit.
    ///
    /// `timeoutInterval` is a limit of inactivity, as in `URLSession`, and becomes `idleTimeout`. How long the whole exchange
    /// may take is left to the session: see the timeouts of `CurlSession.Configuration`.
    ///
    /// Foundation keeps fields in a dictionary, so their order is not known; they are taken in the order of their names.
    ///
    /// - Throws: ``FoundationConversionError`` for a request without a URL or with a stream for its body;
    ///   `HTTPMessageError` for a URL or a field that HTTP cannot carry.
    public init(_ request: URLRequest) throws {
        guard let url = request.url else { throw FoundationConversionError(code: .missingURL) }
        guard request.httpBodyStream == nil else { throw FoundationConversionError(code: .streamedBody) }
        var fields = HTTPFields()
        for (name, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            try fields.append(value, for: HTTPField.Name(name))
        }
        self.init(
            method: try HTTPMethod(request.httpMethod ?? "GET"),
            target: try RequestTarget(url.absoluteString),
            fields: fields,
            body: request.httpBody.map { HTTPBody([UInt8]($0)) },
            options: HTTPRequestOptions(idleTimeout: Self.limit(request.timeoutInterval))
        )
    }

    /// A limit of zero, or one beyond all sense (Foundation allows infinity), is left to the session.
    private static func limit(_ seconds: TimeInterval) -> Duration? {
        seconds > 0 && seconds < 1e9 ? .seconds(seconds) : nil
    }
}

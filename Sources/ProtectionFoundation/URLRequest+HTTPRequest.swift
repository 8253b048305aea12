import Foundation
#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif
public import HTTPMessages

extension URLRequest {
    /// Carries a request over to Foundation: method, URL, fields, body and limit of inactivity.
    ///
    /// For a request that was signed here, as for AWS, and goes out through a session of the app's own. `URLSession` adds fields,
    /// follows redirects and cannot pin on Linux; a ``FoundationSession`` sends what it is given.
    ///
    /// - Throws: ``FoundationConversionError`` with code `streamedBody` for a body that is not in memory, or `invalidRequest`
    ///   where Foundation would change something: it writes the URL in another way, or keeps one value of a name that
    ///   stands twice.
    public init(_ request: HTTPRequest) throws(FoundationConversionError) {
        let text = request.target.absoluteString
        guard let url = URL(string: text), url.absoluteString == text else {
            throw FoundationConversionError(code: .invalidRequest)
        }
        self.init(url: url)
        httpMethod = request.method.rawValue
        for field in request.fields {
            guard value(forHTTPHeaderField: field.name.rawName) == nil,
                let value = String(validating: field.bytes, as: UTF8.self)
            else { throw FoundationConversionError(code: .invalidRequest) }
            setValue(value, forHTTPHeaderField: field.name.rawName)
        }
        if let body = request.body {
            guard let bytes = body.bytes else { throw FoundationConversionError(code: .streamedBody) }
            httpBody = Data(bytes)
        }
        if let limit = request.options.idleTimeout { timeoutInterval = limit / .seconds(1) }
    }
}

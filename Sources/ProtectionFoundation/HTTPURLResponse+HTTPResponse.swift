import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import HTTPMessages

extension HTTPURLResponse {
    /// Carries a response over; several lines of one name become one value, as Foundation can hold no more.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - url: The URL that was asked for; that of the last redirect stands in its place.
    /// - Returns: The response in Foundation's type.
    /// - Throws: ``FoundationConversionError`` with code `invalidResponse` when Foundation takes none of it.
    static func make(_ response: HTTPResponse, url: URL?) throws -> HTTPURLResponse {
        var headers: [String: String] = [:]
        var names: Set<HTTPField.Name> = []
        for field in response.fields where names.insert(field.name).inserted {
            headers[field.name.rawName] = response.fields[field.name]
        }
        let answering = response.target.flatMap { URL(string: $0.absoluteString) }
        guard let url = answering ?? url,
            let converted = HTTPURLResponse(
                url: url,
                statusCode: response.status.code,
                httpVersion: response.metrics?.protocolName ?? "HTTP/1.1",
                headerFields: headers
            )
        else { throw FoundationConversionError(code: .invalidResponse) }
        return converted
    }
}

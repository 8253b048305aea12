import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import HTTPMessages

extension HTTPURLResponse {
    /// Carries a response over; several lines of one name become one value, as Foundation can hold no more.
    static func make(_ response: HTTPResponse, url: URL?) throws -> HTTPURLResponse {
        var headers: [String: String] = [:]
        for field in response.fields where headers[field.name.rawName] == nil {
            headers[field.name.rawName] = response.fields[field.name]
        }
        guard let url,
            let converted = HTTPURLResponse(
                url: url,
                statusCode: response.status.code,
                httpVersion: "HTTP/1.1",
                headerFields: headers
            )
        else { throw FoundationConversionError(code: .invalidResponse) }
        return converted
    }
}

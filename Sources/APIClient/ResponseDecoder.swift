import Encodings
import FoundationEssentials
import HTTPMessages

/// Turns the content of a response into a value.
///
/// The JSON is read strictly first: Foundation takes one of two members with one name, and tells no offset. That adds about
/// a seventh to the time of decoding.
enum ResponseDecoder {
    /// Deeper than any API goes, and shallow enough for the stack of a thread.
    static let maximumDepth = 128

    static func decode<Output: Decodable>(
        _ type: Output.Type,
        from response: HTTPResponse,
        with coders: JSONCoders
    ) throws(APIError) -> Output {
        if type == EmptyResponse.self, let empty = EmptyResponse.empty as? Output { return empty }
        let octets = response.body
        if octets.isEmpty {
            if let empty = (type as? any EmptyDecodable.Type)?.empty as? Output { return empty }
            throw APIError(
                .decoding,
                "the response has no content",
                decoding: APIError.DecodingFailure(offset: 0)
            )
        }
        do throws(DecodingFault) {
            _ = try JSONValue(parsing: octets, maximumDepth: maximumDepth)
        } catch {
            throw APIError(
                .decoding,
                "the content is not strict JSON: \(error.code)",
                decoding: APIError.DecodingFailure(offset: error.offset),
                underlying: error
            )
        }
        do {
            return try coders.makeDecoder().decode(type, from: Data(octets))
        } catch {
            throw fault(error, in: octets)
        }
    }

    private static func fault(_ error: any Error, in octets: [UInt8]) -> APIError {
        let (message, path): (String, [any CodingKey])
        switch error as? DecodingError {
        case .typeMismatch(_, let context)?:
            (message, path) = ("a value has another type than expected", context.codingPath)
        case .valueNotFound(_, let context)?:
            (message, path) = ("a value is null or missing", context.codingPath)
        case .keyNotFound(_, let context)?:
            (message, path) = ("a member is missing", context.codingPath)
        case .dataCorrupted(let context)?:
            (message, path) = ("a value is not what its type allows", context.codingPath)
        default: (message, path) = ("the value does not decode", [])
        }
        var fullPath = path
        var offset: Int?
        switch error as? DecodingError {
        // Foundation tells no place of a number that does not fit its type.
        case .dataCorrupted where path.isEmpty, nil: break
        case .keyNotFound(let key, _)?:
            fullPath.append(key)
            fallthrough
        default:
            var locator = JSONValueLocator(octets)
            offset = locator.offset(of: path)
        }
        return APIError(
            .decoding,
            message,
            decoding: APIError.DecodingFailure(
                path: fullPath,
                offset: offset
            ),
            underlying: error
        )
    }
}

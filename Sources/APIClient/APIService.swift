public import HTTPMessages

/// Something that calls an API and gives values.
///
/// ``API`` is one over HTTP; a test makes its own with ``perform(_:validatesStatusCode:)`` alone, and all other methods
/// follow from that.
public protocol APIService: Sendable {
    /// What turns values into JSON and back.
    var coders: JSONCoders { get }

    /// Makes a call and returns what came, undecoded.
    ///
    /// - Parameters:
    ///   - request: The call.
    ///   - validatesStatusCode: Whether a status that does not count as valid is an error.
    /// - Returns: The content and the whole response.
    /// - Throws: ``APIError`` with any code but `decoding` and `pagination`.
    func perform(
        _ request: APIRequest,
        validatesStatusCode: Bool
    ) async throws(APIError) -> (data: [UInt8], response: HTTPResponse)
}

extension APIService {
    /// The coders of Foundation as they come.
    public var coders: JSONCoders { JSONCoders() }

    /// Makes a call, checks the status and returns what came, undecoded.
    ///
    /// - Throws: As ``perform(_:validatesStatusCode:)``.
    public func perform(
        _ request: APIRequest
    ) async throws(APIError) -> (data: [UInt8], response: HTTPResponse) {
        try await perform(request, validatesStatusCode: true)
    }

    /// Makes a call and decodes the content of its response.
    ///
    /// A response without content gives an ``EmptyResponse``, or nil for an optional output; for others it is an error.
    ///
    /// - Throws: ``APIError`` with any code but `pagination`.
    public func value<Output: Decodable>(
        for request: APIRequest,
        as type: Output.Type = Output.self
    ) async throws(APIError) -> Output {
        let (_, response) = try await perform(request, validatesStatusCode: true)
        return try ResponseDecoder.decode(type, from: response, with: coders)
    }
}

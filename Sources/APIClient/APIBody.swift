import FoundationEssentials
public import HTTPMessages

/// The content of a call and its media type; it is encoded when the call is made.
public struct APIBody: Sendable {
    /// The content as it is sent, and its media type; nil leaves that to the caller's headers.
    typealias Encoded = (body: HTTPBody, contentType: String?)

    let encode: @Sendable (JSONCoders) throws(APIError) -> Encoded
    /// Whether the media type belongs to the content and no header may change it.
    let hasFixedType: Bool

    private init(
        hasFixedType: Bool = false,
        _ encode: @escaping @Sendable (JSONCoders) throws(APIError) -> Encoded
    ) {
        self.encode = encode
        self.hasFixedType = hasFixedType
    }

    /// A value as JSON, by the encoder of the API.
    public static func json(_ value: some Encodable & Sendable) -> APIBody {
        APIBody { coders throws(APIError) in (HTTPBody(try coders.encode(value)), MediaType.json) }
    }

    /// A flat value as `application/x-www-form-urlencoded`; an array of scalars gives its name once for each.
    public static func form(_ value: some Encodable & Sendable) -> APIBody {
        APIBody { coders throws(APIError) in encoded(try FormEncoder.items(of: value, with: coders)) }
    }

    /// Names and values as `application/x-www-form-urlencoded`, in their order.
    public static func form(_ items: [QueryItem]) -> APIBody {
        APIBody { _ throws(APIError) in encoded(items) }
    }

    /// Parts as `multipart/form-data` (RFC 7578).
    public static func multipart(_ form: MultipartForm) -> APIBody {
        APIBody(hasFixedType: true) { _ throws(APIError) in
            let (bytes, boundary) = try form.encode()
            return (HTTPBody(bytes), "multipart/form-data; boundary=\(boundary)")
        }
    }

    /// Octets of a media type.
    public static func bytes(_ bytes: [UInt8], contentType: String) -> APIBody {
        content(HTTPBody(bytes), contentType: contentType)
    }

    /// A file of a media type, which is read while it is sent.
    public static func file(_ path: String, contentType: String) -> APIBody {
        content(HTTPBody(file: path), contentType: contentType)
    }

    /// Any content, of a media type.
    public static func content(_ body: HTTPBody, contentType: String) -> APIBody {
        APIBody { _ throws(APIError) in (body, contentType) }
    }

    private static func encoded(_ items: [QueryItem]) -> Encoded {
        let pairs = items.map { "\(PercentEncoding.form($0.name))=\(PercentEncoding.form($0.value ?? ""))" }
        return (HTTPBody(pairs.joined(separator: "&")), MediaType.form)
    }
}

public import HTTPMessages

/// Where a bucket is, and the URLs of its objects, each key encoded in the one way that its signature expects.
public struct BucketAddress: Sendable, Hashable, CustomStringConvertible {
    /// Where the name of the bucket stands.
    public enum Style: Sendable, Hashable {
        /// As the first segment of the path: `https://host/bucket/key`.
        case path
        /// Before the host: `https://bucket.host/key`.
        case virtualHost
    }

    /// The name of the bucket.
    public let bucket: String
    /// Where the name stands.
    public let style: Style
    private let root: String

    /// Takes the endpoint of a service.
    ///
    /// - Parameters:
    ///   - endpoint: Scheme, host and port, such as `http://localhost:9000`, without path and query.
    ///   - bucket: 3 to 63 letters, digits, `.`, `-` and `_`, with a letter or digit at both ends; as a part of the host
    ///     lower-case letters, digits and `-` only, because no certificate covers two labels.
    ///   - style: Where the name stands.
    /// - Throws: ``AWSSigningError`` with code `invalidURL` or `invalidBucket`.
    public init(endpoint: String, bucket: String, style: Style = .path) throws(AWSSigningError) {
        let target = try Self.target(endpoint)
        guard target.path == "/", target.query == nil else {
            throw AWSSigningError(.invalidURL, "an endpoint has no path and no query")
        }
        guard Self.isBucket(bucket, style: style) else {
            throw AWSSigningError(
                .invalidBucket,
                "the bucket has a name that this style of address cannot have"
            )
        }
        self.bucket = bucket
        self.style = style
        root =
            switch style {
            case .path: "\(target.scheme)://\(target.authority)/\(bucket)"
            case .virtualHost: "\(target.scheme)://\(bucket).\(target.authority)"
            }
        _ = try Self.target(root)
    }

    /// A bucket of Cloudflare R2; sign its requests under ``ServiceProfile/r2``.
    ///
    /// - Parameters:
    ///   - account: The identifier of the account.
    ///   - bucket: The name of the bucket.
    ///   - jurisdiction: `eu` or `fedramp` for a bucket that is held there.
    ///   - style: Where the name stands.
    /// - Returns: The address.
    /// - Throws: As ``init(endpoint:bucket:style:)``.
    public static func r2(
        account: String,
        bucket: String,
        jurisdiction: String? = nil,
        style: Style = .path
    ) throws(AWSSigningError) -> BucketAddress {
        let labels = [account] + (jurisdiction.map { [$0] } ?? [])
        guard labels.allSatisfy(AWSPartition.isLabel) else {
            throw AWSSigningError(.invalidURL, "the account or the jurisdiction is not a part of a host")
        }
        let host = labels.joined(separator: ".")
        return try BucketAddress(
            endpoint: "https://\(host).r2.cloudflarestorage.com",
            bucket: bucket,
            style: style
        )
    }

    /// A bucket of Amazon S3.
    ///
    /// - Throws: As ``init(endpoint:bucket:style:)``, and with code `invalidRegion`.
    public static func s3(
        bucket: String,
        region: String,
        style: Style = .virtualHost
    ) throws(AWSSigningError) -> BucketAddress {
        guard AWSPartition.isLabel(region) else {
            throw AWSSigningError(.invalidRegion, "the region is not a part of a host")
        }
        return try BucketAddress(
            endpoint: "https://s3.\(region).\(AWSPartition.domain(of: region))",
            bucket: bucket,
            style: style
        )
    }

    /// The URL of an object.
    ///
    /// - Parameters:
    ///   - key: The key, 1 to 1,024 octets in UTF-8. It is not normalised: `//`, `.`, `..` and a slash at the end stay.
    ///   - query: Parameters in clear, such as `("partNumber", "1")`; nil as value makes a name alone, such as `?acl`.
    /// - Returns: The URL, encoded and not signed.
    /// - Throws: ``AWSSigningError`` with code `invalidObjectKey`.
    public func url(
        forKey key: String,
        query: KeyValuePairs<String, String?> = [:]
    ) throws(AWSSigningError) -> RequestTarget {
        guard (1...1_024).contains(key.utf8.count) else {
            throw AWSSigningError(.invalidObjectKey, "an object key has 1 to 1,024 octets")
        }
        return try Self.target("\(root)/\(URIEncoding.encode(key, keepsSlash: true))\(Self.text(of: query))")
    }

    /// The URL of the bucket itself, for lists and settings.
    ///
    /// - Throws: ``AWSSigningError`` with code `invalidURL`, never for parameters that are text.
    public func url(query: KeyValuePairs<String, String?> = [:]) throws(AWSSigningError) -> RequestTarget {
        try Self.target("\(root)\(style == .path ? "" : "/")\(Self.text(of: query))")
    }

    /// The URL of the bucket.
    public var description: String { root }

    private static func text(of query: KeyValuePairs<String, String?>) -> String {
        guard !query.isEmpty else { return "" }
        let parameters = query.map { name, value in
            URIEncoding.encode(name) + (value.map { "=\(URIEncoding.encode($0))" } ?? "")
        }
        return "?\(parameters.joined(separator: "&"))"
    }

    private static func target(_ url: String) throws(AWSSigningError) -> RequestTarget {
        try AWSSigningError.message(.invalidURL, "the address is not a URL that can be sent") {
            () throws(HTTPMessageError) in try RequestTarget(url)
        }
    }

    private static func isBucket(_ name: String, style: Style) -> Bool {
        guard style == .path else { return (3...63).contains(name.utf8.count) && AWSPartition.isLabel(name) }
        let isEnd: (Character) -> Bool = { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return (3...63).contains(name.utf8.count) && name.first.map(isEnd) == true
            && name.last.map(isEnd) == true
            && name.allSatisfy { isEnd($0) || $0 == "." || $0 == "-" || $0 == "_" }
    }
}

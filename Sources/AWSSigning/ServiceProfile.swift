public import HTTPMessages

/// How one service in one region wants its requests signed.
public struct ServiceProfile: Sendable, Hashable {
    /// How often the path is percent-encoded for the canonical request.
    public enum PathEncoding: Sendable, Hashable {
        /// Once: the path names an object, whose key is decoded and encoded in the one canonical way.
        case once
        /// Twice: the path as it is sent is encoded again.
        case twice
    }

    /// The name of the service in the credential scope, such as `s3` or `execute-api`.
    public let service: String
    /// The region in the credential scope; SigV4a has a set of regions in its place.
    public let region: String
    /// How often the path is encoded.
    public var pathEncoding: PathEncoding
    /// Whether doubled slashes and dot segments are taken out of the canonical path; the path that is sent stays as it is.
    public var normalizesPath: Bool
    /// Whether `x-amz-content-sha256` is sent and signed, and presigned URLs leave the content unsigned.
    public var sendsContentHash: Bool
    /// Whether the session token is part of what is signed; when not, it is added after.
    public var signsSessionToken = true
    /// Whether the service takes content in signed chunks.
    public var acceptsChunks: Bool
    /// Fields that an intermediary of this service changes, besides those that are never signed.
    public var unsignedFields: Set<HTTPField.Name> = []

    private init(known service: String, region: String, isObjectStore: Bool, acceptsChunks: Bool) {
        self.service = service
        self.region = region
        pathEncoding = isObjectStore ? .once : .twice
        normalizesPath = !isObjectStore
        sendsContentHash = isObjectStore
        self.acceptsChunks = acceptsChunks
    }

    /// The rules of every service that is not an object store: paths are normalised and encoded twice.
    ///
    /// - Throws: ``AWSSigningError`` with code `invalidService` or `invalidRegion` for a name that is empty or holds
    ///   something else than visible ASCII without `/`, `,`, `;`, `=`.
    public init(service: String, region: String) throws(AWSSigningError) {
        try Self.check(service: service, region: region)
        self.init(known: service, region: region, isObjectStore: false, acceptsChunks: false)
    }

    /// The rules of Amazon S3 and of what speaks like it: paths are encoded once and left as they are.
    ///
    /// - Throws: As ``init(service:region:)``.
    public static func s3(region: String, service: String = "s3") throws(AWSSigningError) -> ServiceProfile {
        try check(service: service, region: region)
        return ServiceProfile(known: service, region: region, isObjectStore: true, acceptsChunks: true)
    }

    /// Cloudflare R2: region `auto`, service `s3`, no content in signed chunks.
    public static let r2 = ServiceProfile(
        known: "s3",
        region: "auto",
        isObjectStore: true,
        acceptsChunks: false
    )

    private static func check(service: String, region: String) throws(AWSSigningError) {
        guard isName(service) else {
            throw AWSSigningError(.invalidService, "the service is empty or holds a wrong character")
        }
        guard isName(region) else {
            throw AWSSigningError(.invalidRegion, "the region is empty or holds a wrong character")
        }
    }

    /// Whether a text may stand between the slashes of a credential scope.
    static func isName(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"/,;=".utf8.contains($0) }
    }
}

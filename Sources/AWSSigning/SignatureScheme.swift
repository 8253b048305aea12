/// The algorithm of a signature: SigV4 for one region, or SigV4a for a set of them.
public struct SignatureScheme: Sendable, Hashable {
    /// The regions of SigV4a as they are sent, or nil for SigV4.
    let regionSet: String?

    /// SigV4: HMAC with SHA-256 under a key for one day, region and service.
    public static let hmac = SignatureScheme(regionSet: nil)

    /// SigV4a: ECDSA over P-256 with SHA-256, under a key that is derived from the secret and good in all regions.
    ///
    /// - Parameter regions: The regions that the request is good in, such as `us-east-1`, `us-west-*` or `*`.
    /// - Returns: The scheme.
    /// - Throws: ``AWSSigningError`` with code `invalidRegion` when there is none, or for a name that is empty or holds
    ///   something else than visible ASCII without `/`, `,`, `;`, `=`.
    public static func ecdsa(regions: [String]) throws(AWSSigningError) -> SignatureScheme {
        guard !regions.isEmpty, regions.allSatisfy(ServiceProfile.isName) else {
            throw AWSSigningError(
                .invalidRegion,
                "the set of regions is empty or a region holds a wrong character"
            )
        }
        return SignatureScheme(regionSet: regions.joined(separator: ","))
    }

    /// The name that stands in the string to sign.
    public var name: String { regionSet == nil ? "AWS4-HMAC-SHA256" : "AWS4-ECDSA-P256-SHA256" }
}

public import FoundationEssentials
public import HTTPMessages

/// Signatures that stand in the URL, so that whoever has it can use it.
extension RequestSigner {
    /// How long a presigned URL may be good: seven days, as long as a signing key.
    public static let longestExpiration: Duration = .seconds(604_800)

    /// Signs a request in its URL, for any method.
    ///
    /// Only the fields of the request that are there now are signed, and whoever uses the URL must send them too: give
    /// no more than the service must see. Object stores leave the content unsigned unless `payload` says otherwise; for
    /// the other services it is hashed.
    ///
    /// - Parameters:
    ///   - request: The request, with a URL that is not signed yet.
    ///   - credentials: The credentials. With temporary ones the URL ends with them, whatever `expiration` says.
    ///   - expiration: How long the URL is good from `date` on: whole seconds, 1 to 604,800.
    ///   - payload: How the content takes part; nil for the service's own way. Chunks are not possible.
    ///   - date: The signing date, by default now.
    /// - Returns: The request with its signed URL, and its body and fields as they were.
    /// - Throws: ``AWSSigningError`` with code `invalidExpiration`, `unsupportedPayload`, `alreadySigned` and the
    ///   others of ``sign(_:with:payload:at:)``.
    public func presign(
        _ request: HTTPRequest,
        with credentials: AWSCredentials,
        expiresIn expiration: Duration,
        payload: Payload? = nil,
        at date: Date? = nil
    ) throws(AWSSigningError) -> SignedRequest {
        let seconds = expiration.components.seconds
        guard expiration.components.attoseconds == 0, expiration >= .seconds(1),
            expiration <= Self.longestExpiration
        else {
            throw AWSSigningError(
                .invalidExpiration,
                "a presigned URL is good for 1 to 604,800 whole seconds"
            )
        }
        let payload = payload ?? (profile.sendsContentHash ? .unsigned : .body)
        guard payload.chunks == nil else {
            throw AWSSigningError(.unsupportedPayload, "a presigned URL cannot announce chunks")
        }
        let time = try signingTime(date, for: credentials)
        let contentHash = try contentHash(of: request, payload: payload)
        let fields = try FieldRules.unsigned(request, adding: 0)
        var parameters = PresignedQuery()
        let canonical = try CanonicalRequest(
            request,
            fields: fields,
            under: profile,
            contentHash: contentHash
        ) { names throws(AWSSigningError) in
            parameters = self.parameters(
                signing: names,
                expiresIn: seconds,
                contentHash: profile.sendsContentHash && payload != .unsigned ? contentHash : nil,
                credentials: credentials,
                at: time
            )
            var query = try CanonicalQuery(request.target.query)
            for parameter in parameters.signed(withToken: profile.signsSessionToken) {
                query.append(name: parameter.name, encoded: parameter.value)
            }
            return query
        }
        let result = try finish(canonical, at: time, with: credentials)
        var signed = request
        signed.fields = HTTPFields(fields)
        let query = parameters.text(after: request.target.query, signature: LowerHex.encode(result.signature))
        signed.target = try AWSSigningError.message(.invalidURL, "the signed URL cannot be sent") {
            () throws(HTTPMessageError) in try request.target.replacingQuery(query)
        }
        return result.request(signed, canonical: canonical, payload: payload, at: time)
    }

    private func parameters(
        signing names: ArraySlice<UInt8>,
        expiresIn seconds: Int64,
        contentHash: [UInt8]?,
        credentials: AWSCredentials,
        at time: SigningTime
    ) -> PresignedQuery {
        var credential = Array(credentials.accessKeyID.utf8) + [UInt8(ascii: "/")]
        StringToSign.appendScope(scheme, at: time, for: profile, to: &credential)
        var query = PresignedQuery()
        query.append("X-Amz-Algorithm", scheme.name.utf8)
        query.append("X-Amz-Credential", credential)
        query.append("X-Amz-Date", time.octets)
        query.append("X-Amz-SignedHeaders", names)
        query.append("X-Amz-Expires", String(seconds).utf8)
        if let regions = scheme.regionSet { query.append("X-Amz-Region-Set", regions.utf8) }
        if let contentHash { query.append("X-Amz-Content-Sha256", contentHash) }
        if let token = credentials.sessionToken { query.append(PresignedQuery.tokenName, token.utf8) }
        return query
    }
}

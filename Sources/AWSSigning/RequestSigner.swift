internal import Cryptography
public import FoundationEssentials
public import HTTPMessages
public import Timing

/// Signs requests for one service in one region with Signature Version 4 or 4a.
///
/// Everything is checked before anything is signed; what is signed is what ``SignedRequest/request`` sends. The keys
/// that it derives are kept for the day. One value may be used from many threads at a time.
public struct RequestSigner: Sendable {
    /// The rules of the service.
    public let profile: ServiceProfile
    /// SigV4, or SigV4a for a set of regions.
    public let scheme: SignatureScheme
    let timeSource: TimeSource
    private let keys = SigningKeyCache()

    /// Makes a signer.
    ///
    /// - Parameters:
    ///   - profile: The rules of the service.
    ///   - scheme: `.hmac` is SigV4.
    ///   - time: Where signatures that are given no date get theirs.
    public init(_ profile: ServiceProfile, scheme: SignatureScheme = .hmac, time: TimeSource = .system) {
        self.profile = profile
        self.scheme = scheme
        timeSource = time
    }

    /// Signs a request in its header: adds `X-Amz-Date`, `Authorization` and what else the service wants.
    ///
    /// The fields of an earlier signature are replaced, so a request can be signed again for a retry. All fields are
    /// signed but those that intermediaries change, and those that `Connection` names.
    ///
    /// - Parameters:
    ///   - request: The request; its body is hashed when `payload` is `.body`.
    ///   - credentials: The credentials, which must not have ended.
    ///   - payload: How the content takes part.
    ///   - date: The signing date, by default now. Services accept some minutes of difference.
    /// - Returns: The request to send, with what was computed on the way.
    /// - Throws: ``AWSSigningError``; the code says which part of the request, credentials or payload cannot be signed.
    public func sign(
        _ request: HTTPRequest,
        with credentials: AWSCredentials,
        payload: Payload = .body,
        at date: Date? = nil
    ) throws(AWSSigningError) -> SignedRequest {
        let time = try signingTime(date, for: credentials)
        try ChunkFields.check(payload, profile: profile, scheme: scheme)
        let contentHash = try contentHash(of: request, payload: payload)
        var fields = try FieldRules.unsigned(request, adding: 5)
        try ChunkFields.add(payload, to: &fields)
        let count = fields.count
        if let token = credentials.tokenField { fields.append(token) }
        fields.append(time.field)
        if let regions = scheme.regionSet { fields.append(try Self.field(.amzRegionSet, regions)) }
        if sendsContentHash(payload) { fields.append(try Self.hashField(contentHash)) }
        let canonical = try CanonicalRequest(
            request,
            fields: fields,
            ofSignature: count..<fields.count,
            under: profile,
            contentHash: contentHash
        )
        let result = try finish(canonical, at: time, with: credentials)
        fields.append(try Self.field(.authorization, result.authorization(canonical)))
        var signed = request
        signed.fields = HTTPFields(fields)
        return result.request(signed, canonical: canonical, payload: payload, at: time)
    }

    // MARK: Steps that presigning shares

    /// The signing date, checked against the life of the credentials.
    func signingTime(_ date: Date?, for credentials: AWSCredentials) throws(AWSSigningError) -> SigningTime {
        let date = date ?? timeSource.date()
        if let expiration = credentials.expiration, expiration <= date {
            throw AWSSigningError(.credentialsExpired, "the credentials ended before the signing date")
        }
        return try keys.time(date)
    }

    /// What stands for the content in the canonical request.
    func contentHash(of request: HTTPRequest, payload: Payload) throws(AWSSigningError) -> [UInt8] {
        if let marker = payload.marker { return Array(marker.description.utf8) }
        if case .digest(let digest) = payload {
            guard digest.count == 32 else {
                throw AWSSigningError(.invalidPayload, "a SHA-256 has 32 octets")
            }
            return LowerHex.encode(digest)
        }
        let content = try Self.content(of: request)
        guard !content.isEmpty else { return LowerHex.emptyHash }
        return LowerHex.encode(
            try AWSSigningError.cryptography { () throws(CryptographyError) in
                try HashAlgorithm.sha256.hash(content)
            }
        )
    }

    /// The content of a request, which is in memory where it is to be hashed.
    static func content(of request: HTTPRequest) throws(AWSSigningError) -> [UInt8] {
        guard let body = request.body else { return [] }
        guard let bytes = body.bytes else {
            throw AWSSigningError(
                .unsupportedPayload,
                "content that is not in memory is signed by its digest, or not signed"
            )
        }
        return bytes
    }

    /// Whether the service is told what stands for the content.
    func sendsContentHash(_ payload: Payload) -> Bool { profile.sendsContentHash || payload.marker != nil }

    /// Signs the canonical form.
    func finish(
        _ canonical: CanonicalRequest,
        at time: SigningTime,
        with credentials: AWSCredentials
    ) throws(AWSSigningError) -> SignatureResult {
        let hash = try AWSSigningError.cryptography { () throws(CryptographyError) in
            try HashAlgorithm.sha256.digest(of: canonical.bytes.span)
        }
        let key = try key(for: credentials, at: time)
        let text = StringToSign(
            scheme,
            at: time,
            scope: key.scope,
            canonicalRequestHash: hash.span.extracting(first: HashAlgorithm.sha256.digestLength)
        )
        return SignatureResult(text: text, signature: try key.key.sign(text.bytes), key: key)
    }

    func key(for credentials: AWSCredentials, at time: SigningTime) throws(AWSSigningError) -> DayKey {
        if let known = keys.key(for: credentials, day: time.dayNumber) { return known }
        // Made outside the lock: two callers may derive the same key once, and nobody waits for a derivation.
        let key = try DayKey(credentials, scheme: scheme, at: time, profile: profile)
        keys.insert(key)
        return key
    }

    /// The field that tells the service what stands for the content.
    private static func hashField(_ hash: [UInt8]) throws(AWSSigningError) -> HTTPField {
        if let emptyHashField, hash == LowerHex.emptyHash { return emptyHashField }
        return try field(.amzContentHash, String(decoding: hash, as: UTF8.self))
    }

    private static let emptyHashField = try? HTTPField(
        .amzContentHash,
        String(decoding: LowerHex.emptyHash, as: UTF8.self)
    )

    static func field(_ name: HTTPField.Name, _ value: String) throws(AWSSigningError) -> HTTPField {
        try AWSSigningError.message(.invalidField, "a field of the signature cannot be sent") {
            () throws(HTTPMessageError) in try HTTPField(name, value)
        }
    }
}

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
    /// signed but those that intermediaries change.
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
        var signed = request
        var fields = try FieldRules.unsigned(request, adding: 5)
        try ChunkFields.add(payload, to: &fields)
        let firstAdded = fields.count
        var added: [CanonicalRequest.Field] = []
        added.reserveCapacity(4)
        if let token = credentials.tokenField {
            fields.append(token)
            if profile.signsSessionToken {
                added.append(.init(name: "x-amz-security-token", value: token.value))
            }
        }
        let timeText = time.text
        fields.append(try Self.field("X-Amz-Date", timeText))
        added.append(.init(name: "x-amz-date", value: timeText))
        if let regions = scheme.regionSet {
            fields.append(try Self.field("X-Amz-Region-Set", regions))
            added.append(.init(name: "x-amz-region-set", value: regions))
        }
        if sendsContentHash(payload) {
            let text = String(decoding: contentHash, as: UTF8.self)
            fields.append(try Self.field("x-amz-content-sha256", text))
            added.append(.init(name: "x-amz-content-sha256", value: text))
        }
        let canonical = try CanonicalRequest(
            request,
            fields: Array(fields[..<firstAdded]),
            adding: added,
            under: profile,
            contentHash: contentHash
        )
        let result = try finish(canonical, at: time, with: credentials)
        fields.append(
            try Self.field(
                "Authorization",
                authorization(result, canonical: canonical, credentials: credentials)
            )
        )
        signed.fields = HTTPFields(fields)
        return SignedRequest(
            request: signed,
            canonicalRequest: canonical,
            stringToSign: result.text,
            payload: payload,
            signatureOctets: result.signature,
            key: result.key,
            time: time
        )
    }

    // MARK: Steps that presigning shares

    /// The signing date, checked against the life of the credentials.
    func signingTime(_ date: Date?, for credentials: AWSCredentials) throws(AWSSigningError) -> SigningTime {
        let date = date ?? timeSource.date()
        if let expiration = credentials.expiration, expiration <= date {
            throw AWSSigningError(.credentialsExpired, "the credentials ended before the signing date")
        }
        return try SigningTime(date)
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
        guard let body = request.body, body.count > 0 else { return LowerHex.emptyHash }
        return LowerHex.encode(
            try AWSSigningError.cryptography { () throws(CryptographyError) in
                try HashAlgorithm.sha256.hash(body.bytes)
            }
        )
    }

    /// Whether the service is told what stands for the content.
    func sendsContentHash(_ payload: Payload) -> Bool { profile.sendsContentHash || payload.marker != nil }

    func finish(
        _ canonical: CanonicalRequest,
        at time: SigningTime,
        with credentials: AWSCredentials
    ) throws(AWSSigningError) -> (text: StringToSign, signature: [UInt8], key: SigningKey) {
        let hash = try AWSSigningError.cryptography { () throws(CryptographyError) in
            try HashAlgorithm.sha256.hash(canonical.bytes)
        }
        let text = StringToSign(scheme, at: time, for: profile, canonicalRequestHash: hash)
        let key = try key(for: credentials, at: time)
        return (text, try key.sign(text.bytes), key)
    }

    func key(for credentials: AWSCredentials, at time: SigningTime) throws(AWSSigningError) -> SigningKey {
        try keys.key(for: credentials, day: time.dayNumber) { () throws(AWSSigningError) in
            try SigningKey(credentials, scheme: scheme, day: time.day, profile: profile)
        }
    }

    private func authorization(
        _ result: (text: StringToSign, signature: [UInt8], key: SigningKey),
        canonical: CanonicalRequest,
        credentials: AWSCredentials
    ) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(320)
        output.append(contentsOf: scheme.name.utf8)
        output.append(contentsOf: " Credential=".utf8)
        output.append(contentsOf: credentials.accessKeyID.utf8)
        output.append(UInt8(ascii: "/"))
        output.append(contentsOf: result.text.scopeOctets)
        output.append(contentsOf: ", SignedHeaders=".utf8)
        output.append(contentsOf: canonical.signedFieldNames)
        output.append(contentsOf: ", Signature=".utf8)
        output.append(contentsOf: result.signature)
        return String(decoding: output, as: UTF8.self)
    }

    static func field(_ name: HTTPField.Name, _ value: String) throws(AWSSigningError) -> HTTPField {
        try AWSSigningError.message(.invalidField, "a field of the signature cannot be sent") {
            () throws(HTTPMessageError) in try HTTPField(name, value)
        }
    }
}

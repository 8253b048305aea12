internal import Encodings
public import FoundationEssentials

/// Forms with which a browser uploads to a bucket.
extension RequestSigner {
    /// Signs a policy, with the rules for the fields of the signature added to it.
    ///
    /// - Returns: The fields that the form must hold: algorithm, credential, date, token, policy and signature.
    /// - Throws: ``AWSSigningError`` with code `invalidPolicy` for a policy without bucket or key or with a rule for one
    ///   of those fields, `invalidExpiration` for an end that is not 1 to 604,800 seconds away, `unsupportedPayload`
    ///   for SigV4a, which has no policies, and the others of ``sign(_:with:payload:at:)``.
    public func sign(
        _ policy: PostPolicy,
        with credentials: AWSCredentials,
        at date: Date? = nil
    ) throws(AWSSigningError) -> SignedPostPolicy {
        let time = try signingTime(date, for: credentials)
        let seconds = policy.expiration.timeIntervalSince1970 - Double(time.seconds)
        guard seconds >= 1, seconds <= 604_800 else {
            throw AWSSigningError(.invalidExpiration, "a policy is good for 1 to 604,800 seconds")
        }
        return try sign(
            try policy.document(adding: formFields(credentials, time)),
            with: credentials,
            at: time
        )
    }

    /// Signs a policy that is written already, octet for octet.
    ///
    /// The document must itself hold the rules for `x-amz-credential`, `x-amz-algorithm`, `x-amz-date` and, with
    /// temporary credentials, `x-amz-security-token`; it is not read here.
    ///
    /// - Throws: ``AWSSigningError`` as ``sign(_:with:at:)``, but for the content of the policy.
    public func sign(
        policyDocument document: [UInt8],
        with credentials: AWSCredentials,
        at date: Date? = nil
    ) throws(AWSSigningError) -> SignedPostPolicy {
        try sign(document, with: credentials, at: try signingTime(date, for: credentials))
    }

    private func sign(
        _ document: [UInt8],
        with credentials: AWSCredentials,
        at time: SigningTime
    ) throws(AWSSigningError) -> SignedPostPolicy {
        guard scheme.regionSet == nil else {
            throw AWSSigningError(.unsupportedPayload, "SigV4a has no policies")
        }
        let policy = Base64.standard.encodeToBytes(document)
        let signature = LowerHex.text(try key(for: credentials, at: time).key.sign(policy))
        let text = String(decoding: policy, as: UTF8.self)
        var fields = formFields(credentials, time).map {
            SignedPostPolicy.Field(name: $0.name, value: $0.value)
        }
        fields.append(.init(name: "policy", value: text))
        fields.append(.init(name: "x-amz-signature", value: signature))
        return SignedPostPolicy(fields: fields, policy: text, signature: signature)
    }

    private func formFields(
        _ credentials: AWSCredentials,
        _ time: SigningTime
    ) -> [(name: String, value: String)] {
        var scope: [UInt8] = []
        StringToSign.appendScope(scheme, at: time, for: profile, to: &scope)
        var fields = [
            (name: "x-amz-algorithm", value: scheme.name),
            (
                name: "x-amz-credential",
                value: "\(credentials.accessKeyID)/\(String(decoding: scope, as: UTF8.self))"
            ), (name: "x-amz-date", value: time.text),
        ]
        if let token = credentials.sessionToken {
            fields.append((name: "x-amz-security-token", value: token))
        }
        return fields
    }
}

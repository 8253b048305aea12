import Cryptography
import Encodings
import HTTPMessages
import JSONWebTokens
import MessageSignatures
import Timing

/// Verifies the message signatures of a request with the keys that its token names.
struct SignatureCheck {
    let policy: MessageSignaturePolicy
    let tokenHeader: HTTPField.Name
    let time: TimeSource

    func verify(
        _ request: HTTPRequest,
        _ requestTarget: String?,
        _ token: VerifiedToken
    ) throws(VerificationError) -> [VerifiedMessage] {
        let message = SignableMessage(request, requestTarget: requestTarget)
        let verifier = MessageVerifier(
            policy: verificationPolicy(for: request),
            now: { [time] in time.secondsSince1970 },
            key: { _ in nil }
        )
        do throws(SignatureError) {
            let labels = try verifier.labels(in: message)
            for signer in policy.required where !labels.contains(signer.rawValue) {
                throw SignatureError(.unsignedMessage, "there is no signature under \(signer.rawValue)")
            }
            var verified: [VerifiedMessage] = []
            for signer in MessageSignaturePolicy.Signer.allCases where labels.contains(signer.rawValue) {
                // Clients may sign with both keys for backends that differ in what they know.
                guard signer != .account || policy.accountKey != nil || policy.required.contains(.account)
                else {
                    continue
                }
                let key = try key(of: signer, token)
                let verifier = MessageVerifier(
                    policy: verifier.policy,
                    now: { [time] in time.secondsSince1970 },
                    key: { _ in key }
                )
                verified.append(try verifier.verify(message, label: signer.rawValue))
            }
            try recordNonces(of: verified, token, verifier.policy)
            return verified
        } catch {
            throw Self.refusal(error)
        }
    }

    private func verificationPolicy(for request: HTTPRequest) -> VerificationPolicy {
        var components = policy.requiredComponents + [.field(tokenHeader)]
        components += policy.coveredIfPresent.filter(request.fields.contains).map { .field($0) }
        if policy.coversContent, let body = request.body, body.count != 0 {
            components.append(.contentDigest)
        }
        var result = VerificationPolicy(requiredComponents: components)
        result.maximumAge = policy.maximumAge.map(\.components.seconds)
        result.clockSkew = policy.clockSkew.components.seconds
        result.externalOrigin = policy.externalOrigin
        result.acceptsStringSignatures = policy.acceptsStringSignatures
        result.requiredTag = policy.requiredTag
        result.minimumDigest = policy.minimumDigest
        result.fieldTypes = policy.fieldTypes
        result.limits = policy.limits
        // Recorded once all signatures are right, so that a failure uses up no nonce of a good one.
        if policy.isNonceNew != nil { result.requiredParameters.insert("nonce") }
        if policy.maximumAge == nil { result.requiredParameters.insert("expires") }
        return result
    }

    /// Asks for each nonce of the request once, which several signatures may share.
    private func recordNonces(
        of signatures: [VerifiedMessage],
        _ token: VerifiedToken,
        _ demands: VerificationPolicy
    ) throws(SignatureError) {
        guard let isNonceNew = policy.isNonceNew else { return }
        let installation = token.claims["did"]?.string ?? token.claims.subject
        var uses: [NonceUse] = []
        for use in signatures.compactMap({ demands.nonceUse(of: $0.parameters, by: installation) }) {
            if let place = uses.firstIndex(where: { $0.nonce == use.nonce }) {
                uses[place] = uses[place].joined(with: use)
            } else {
                uses.append(use)
            }
        }
        for use in uses {
            let isNew: Bool
            do { isNew = try isNonceNew(use) } catch {
                throw SignatureError(.callbackFailure, "the nonce lookup failed", underlying: error)
            }
            guard isNew else { throw SignatureError(.nonceReused, "the nonce was seen before") }
        }
    }

    private func key(
        of signer: MessageSignaturePolicy.Signer,
        _ token: VerifiedToken
    ) throws(SignatureError) -> MessageVerificationKey {
        switch signer {
        case .installation:
            guard let text = token.claims["ipk"]?.string else {
                throw SignatureError(.unknownKey, "the token names no installation key")
            }
            let key: PublicKey
            do {
                key = try PublicKey(der: try Base64.standard.decode(text))
            } catch {
                throw SignatureError(.unknownKey, "the token's installation key is none", underlying: error)
            }
            return try MessageVerificationKey(key, algorithm: .ecdsaP256SHA256)
        case .account:
            guard let identifier = token.claims["mskid"]?.string, let accountKey = policy.accountKey else {
                throw SignatureError(.unknownKey, "the token names no account key, or none is known here")
            }
            let key: HMACKey?
            do {
                key = try accountKey(identifier)
            } catch {
                throw SignatureError(
                    .callbackFailure,
                    "the lookup of the account key failed",
                    underlying: error
                )
            }
            guard let key else {
                throw SignatureError(.unknownKey, "the token names an account key that is not known here")
            }
            return try MessageVerificationKey(key)
        }
    }

    private static func refusal(_ error: SignatureError) -> VerificationError {
        let code: VerificationError.Code =
            switch error.code {
            case .unsignedMessage: .missingSignature
            case .unknownKey: .unknownSigningKey
            case .expired, .tooOld, .createdInFuture: .staleSignature
            case .nonceReused: .replayedSignature
            case .requiredComponentMissing, .requiredParameterMissing, .tagMismatch: .insufficientSignature
            case .signatureInvalid, .algorithmMismatch, .unknownAlgorithm: .invalidSignature
            case .contentDigestMismatch, .noSupportedDigestAlgorithm: .contentMismatch
            case .callbackFailure, .contentUnavailable, .cryptographyFailure: .unavailable
            default: .malformedSignature
            }
        return VerificationError(code, "the message signature is refused", underlying: error)
    }
}

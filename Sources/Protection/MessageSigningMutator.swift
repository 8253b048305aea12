public import HTTPMessages
import Encodings
import JSONWebTokens
import MessageSignatures
public import Timing

/// Signs requests with HTTP message signatures (RFC 9421), around another policy.
///
/// The wrapped mutator decides first, at every hook; what it makes of a request is what is signed. Only requests that
/// carry a token are signed, because the token is what names the keys; a status in its place names none. When a request
/// cannot be signed, the wrapped mutator's ``ServiceMutator/messageSigningFailed(_:for:)`` decides, which by default stops
/// the request.
///
/// A signature is made once for a request. When a kept connection breaks before the response, `CurlSession` sends a request of
/// an idempotent method again as it is, with its signature and nonce. A backend that had taken it the first time answers the
/// second with 401 `replayedSignature`. Whether it acted on the first one is not known then: read the state, or ask again with
/// a new request, which is signed anew.
///
/// ```swift
/// var signing = MessageSigningMutator(keys: fetcher, wrapping: AppPolicy())
/// signing.setFactory(nil, for: try HostPattern("static.example.com"))
/// ProtectionService.shared.setServiceMutator(signing)
/// ```
public struct MessageSigningMutator: ServiceMutator {
    /// What is signed at hosts that have no factory of their own; nil signs nothing there.
    public var factory: SignatureParametersFactory?
    private var hostFactories: [(host: HostPattern, factory: SignatureParametersFactory?)] = []
    private let keys: any SigningKeyHolder
    let wrapped: any ServiceMutator
    private let time: TimeSource

    /// Makes a signing mutator.
    ///
    /// - Parameters:
    ///   - keys: What signs: the token fetcher of the service.
    ///   - wrapped: The policy that decides everything else.
    ///   - factory: What is signed; nil signs only at hosts with a factory of their own.
    ///   - time: Where `created` comes from.
    public init(
        keys: any SigningKeyHolder,
        wrapping wrapped: any ServiceMutator = DefaultServiceMutator(),
        factory: SignatureParametersFactory? = SignatureParametersFactory(),
        time: TimeSource = .system
    ) {
        self.keys = keys
        self.wrapped = wrapped
        self.factory = factory
        self.time = time
    }

    /// Sets what is signed at one host, or at all hosts of a wildcard.
    ///
    /// A host counts before a wildcard, whatever the order.
    ///
    /// - Parameters:
    ///   - factory: What is signed; nil signs nothing there.
    ///   - host: The host.
    public mutating func setFactory(_ factory: SignatureParametersFactory?, for host: HostPattern) {
        hostFactories.removeAll { $0.host == host }
        hostFactories.append((host, factory))
        hostFactories.sort { !$0.host.isWildcard && $1.host.isWildcard }
    }

    /// Lets the wrapped mutator change the request, and signs what it returns.
    ///
    /// - Throws: What the wrapped mutator throws; ``ProtectionError`` when the request cannot be signed, with the
    ///   `SignatureError` or the error of the key under it, or when a stream that is to be digested cannot be read to its
    ///   end, with the error of the stream under it.
    public func processedRequest(
        _ request: HTTPRequest,
        mutations: RequestMutations
    ) async throws -> HTTPRequest {
        var request = try await wrapped.processedRequest(request, mutations: mutations)
        guard mutations.hasToken, mutations.tokenHeader.map(request.fields.contains) == true,
            let factory = factory(for: request.target.host)
        else { return request }
        // A stream is read once. What was read is what goes out, signed or not; without it there is nothing to send.
        try await ContentDigest(factory: factory).takeIntoMemory(&request)
        do {
            return try await sign(request, mutations, factory)
        } catch let error as CancellationError {
            throw error
        } catch {
            let isPassing = (error as? any RetryableError)?.isRetryable == true
            let failure =
                error as? ProtectionError
                ?? ProtectionError(
                    isPassing ? .networking : .permanent,
                    "the request cannot be signed",
                    underlying: error
                )
            switch try await wrapped.messageSigningFailed(failure, for: request) {
            case .stop: throw failure
            case .sendUnsigned: return request
            }
        }
    }

    private func factory(for host: String) -> SignatureParametersFactory? {
        guard let own = hostFactories.first(where: { $0.host.matches(host) }) else { return factory }
        return own.factory
    }

    private func sign(
        _ request: HTTPRequest,
        _ mutations: RequestMutations,
        _ factory: SignatureParametersFactory
    ) async throws -> HTTPRequest {
        var signed = request
        try factory.addContentLength(to: &signed)
        try ContentDigest(factory: factory).apply(to: &signed)
        let token = TokenKeys(of: request, mutations)
        // Made once, so that two signatures cover the same and neither covers the other.
        let message = SignableMessage(signed)
        let components = factory.components(of: signed, mutations)
        let now = time.secondsSince1970
        func draft(_ label: String, _ algorithm: MessageSignatureAlgorithm) throws -> SignatureDraft {
            try SignatureDraft(
                label: label,
                covering: components,
                parameters: factory.parameters(algorithm, at: now),
                of: message,
                types: factory.fieldTypes,
                limits: factory.limits,
                checksContentDigest: false  // It was made or checked above.
            )
        }
        if factory.keys != .account {
            let draft = try draft("install", .ecdsaP256SHA256)
            let octets = try await keys.installationSignature(
                of: draft.base.octets,
                publicKey: token.publicKey
            )
            try Self.check(octets, count: 64, "installation", "r and s of 32 octets each")
            try draft.completed(with: octets).add(to: &signed.fields)
        }
        if factory.keys != .installation {
            let draft = try draft("account", .hmacSHA256)
            let octets = try await keys.accountSignature(
                of: draft.base.octets,
                keyIdentifier: token.accountKeyIdentifier
            )
            try Self.check(octets, count: 32, "account", "a code of HMAC-SHA-256")
            try draft.completed(with: octets).add(to: &signed.fields)
        }
        return signed
    }

    /// Every backend would refuse another form, such as DER, and only say that the signature is wrong.
    private static func check(
        _ signature: [UInt8],
        count: Int,
        _ key: String,
        _ form: String
    ) throws(ProtectionError) {
        guard signature.count == count else {
            throw ProtectionError(
                .permanent,
                "the holder's \(key) signature has \(signature.count) octets and not \(count): \(form)"
            )
        }
    }
}

/// The keys that a token names, which its signatures will be verified with.
///
/// The token is the one that the fetcher gave, so it is not verified. One that is no JWT names no keys; the present ones
/// sign then.
private struct TokenKeys {
    let publicKey: [UInt8]?
    let accountKeyIdentifier: String?

    init(of request: HTTPRequest, _ mutations: RequestMutations) {
        let value = mutations.tokenHeader.flatMap { request.fields[$0] } ?? ""
        let token = try? UnverifiedToken(parsing: String(value.dropFirst(mutations.tokenPrefix.count)))
        let claims = token?.unverifiedClaims
        publicKey = claims?["ipk"]?.string.flatMap { try? Base64.standard.decode($0) }
        accountKeyIdentifier = claims?["mskid"]?.string
    }
}

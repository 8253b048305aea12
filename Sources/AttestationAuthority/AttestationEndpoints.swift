public import AppAttestation
import Cryptography
import Encodings
public import HTTPMessages

/// The endpoints at which clients have their keys attested: requests in, responses out, whatever the server.
///
/// `POST {prefix}/{kind}/attest-init` without content, or with an object of JSON, is answered by 200 and
/// `{"sessionId": "…", "nonce": "…"}`. The client hashes the nonce's octets in UTF-8 with SHA-256, has its key attested
/// with that, and shows it to `POST {prefix}/{kind}/attest` as `{"sessionId": "…", "keyId": "…", "attestation": "…"}`, the last
/// two in Base 64; 204 says that the key is kept. `keyId` may be left out, since the attestation holds it; where it is
/// given it must be the same. A session is good for one attestation, right or wrong, of one kind.
///
/// Errors are problems of RFC 9457 with a member `code`. For a wrong attestation it is that of `AttestationError`, and the
/// status 403, or 409 with `keyAlreadyBound`; for one that is not admitted it is 403 and `notAdmitted`, for one that is shown
/// under the path of another kind 403 and `wrongSession`. A session that is
/// unknown, used or over is answered by 409 and `invalidNonce`, and a client that knows the status alone does not send the
/// same once more, which could not succeed. The client of this library asks for a new session then, comes back later with
/// the same key after `notAdmitted`, and gives the key up after a code that is about it. No answer says more than its code
/// does.
public struct AttestationEndpoints: Sendable {
    private let verifiers: [AttestationKind: AttestationVerifier]
    private let keys: any AttestedKeyStore
    private let challenges: any ChallengeStore
    private let pathPrefix: String
    private let lifetime: Duration
    private let maximumBodySize: Int
    private let admits: @Sendable (AttestationKind, VerifiedAttestation, HTTPRequest) async throws -> Bool
    private let onOutcome:
        @Sendable (AttestationKind, Result<VerifiedAttestation, AuthorityError>) async -> Void

    /// Makes endpoints.
    ///
    /// - Parameters:
    ///   - apple: Verifies keys of App Attest; nil when there is no such path here.
    ///   - installations: Verifies keys of this library's client, with `InstallationKeyFormat`; nil as above.
    ///   - keys: Where attested keys are kept.
    ///   - challenges: Where challenges are kept.
    ///   - pathPrefix: What stands before `/apple` and `/installations`, such as `/v1`.
    ///   - lifetime: How long a challenge is good.
    ///   - maximumBodySize: The most octets of a request.
    ///   - admits: Whether a verified key may be kept, before it is: by who asks for it, as the request tells. False is
    ///     answered by 403 and `notAdmitted`, an error by 503. Any key is kept unless this is given, so that anyone can have
    ///     one of ``AttestationKind/installations``.
    ///   - onOutcome: Hears of each attestation that was kept, its receipt with its key, and of each refusal at `attest`,
    ///     for a log.
    public init(
        apple: AttestationVerifier?,
        installations: AttestationVerifier?,
        keys: any AttestedKeyStore,
        challenges: any ChallengeStore = InMemoryChallengeStore(),
        pathPrefix: String = "",
        lifetime: Duration = .seconds(60),
        maximumBodySize: Int = 64 << 10,
        admits:
            @escaping @Sendable (AttestationKind, VerifiedAttestation, HTTPRequest) async throws -> Bool = {
                _,
                _,
                _ in true
            },
        onOutcome:
            @escaping @Sendable (AttestationKind, Result<VerifiedAttestation, AuthorityError>) async -> Void =
            {
                _,
                _ in
            }
    ) {
        var verifiers: [AttestationKind: AttestationVerifier] = [:]
        verifiers[.apple] = apple
        verifiers[.installations] = installations
        self.verifiers = verifiers
        self.keys = keys
        self.challenges = challenges
        self.pathPrefix = pathPrefix
        self.lifetime = lifetime
        self.maximumBodySize = maximumBodySize
        self.admits = admits
        self.onOutcome = onOutcome
    }

    /// Answers a request.
    ///
    /// - Parameter request: The request as it came, with its content in memory.
    /// - Returns: The response, or nil for a path that is none of the endpoints'.
    public func respond(to request: HTTPRequest) async -> HTTPResponse? {
        for (kind, verifier) in verifiers {
            let path = "\(pathPrefix)/\(kind.rawValue)/attest"
            if Self.isSame(request.target.path, path + "-init") { return await respondInit(request, kind) }
            if Self.isSame(request.target.path, path) { return await respondAttest(request, kind, verifier) }
        }
        return nil
    }

    private func respondInit(_ request: HTTPRequest, _ kind: AttestationKind) async -> HTTPResponse {
        do throws(AuthorityError) {
            _ = try AttestationRequest.object(in: request, limit: maximumBodySize, isOptional: true)
            let challenge = try Self.challenge(kind)
            let isNew: Bool
            do { isNew = try await challenges.insert(challenge, lifetime: lifetime) } catch {
                throw AuthorityError(.storeFailed, "the challenge cannot be kept", underlying: error)
            }
            guard isNew else { throw AuthorityError(.challengeFailed, "a challenge cannot be made") }
            var object = JSONObject()
            object["sessionId"] = .string(challenge.sessionID)
            object["nonce"] = .string(challenge.nonce)
            return ProblemResponse.object(object)
        } catch { return error.problem }
    }

    private func respondAttest(
        _ request: HTTPRequest,
        _ kind: AttestationKind,
        _ verifier: AttestationVerifier
    ) async -> HTTPResponse {
        do throws(AuthorityError) {
            let attestation = try await attest(request, kind, verifier)
            await onOutcome(kind, .success(attestation))
            return HTTPResponse(status: .noContent)
        } catch {
            await onOutcome(kind, .failure(error))
            return error.problem
        }
    }

    private func attest(
        _ request: HTTPRequest,
        _ kind: AttestationKind,
        _ verifier: AttestationVerifier
    ) async throws(AuthorityError) -> VerifiedAttestation {
        let object = try AttestationRequest.object(in: request, limit: maximumBodySize)
        let submission = try AttestationRequest(object)
        let challenge: IssuedChallenge?
        do { challenge = try await challenges.take(submission.sessionID) } catch {
            throw AuthorityError(.storeFailed, "the challenge cannot be looked up", underlying: error)
        }
        guard let challenge else {
            throw AuthorityError(.invalidNonce, "the session is unknown, used or over")
        }
        guard challenge.kind == kind else {
            throw AuthorityError(.wrongSession, "the session is one for another kind of key")
        }
        let attestation: VerifiedAttestation
        do throws(AttestationError) {
            attestation = try verifier.verify(
                submission.attestation,
                keyID: submission.keyID,
                challenge: Array(challenge.nonce.utf8)
            )
        } catch { throw Self.refusal(error) }
        let isAdmitted: Bool
        do { isAdmitted = try await admits(kind, attestation, request) } catch {
            throw AuthorityError(.storeFailed, "who may have a key cannot be looked up", underlying: error)
        }
        guard isAdmitted else { throw AuthorityError(.notAdmitted, "the key may not be kept here") }
        do throws(AttestationError) { try await keys.enrol(attestation) } catch {
            throw Self.refusal(error)
        }
        return attestation
    }

    private static func refusal(_ error: AttestationError) -> AuthorityError {
        switch error.code {
        case .keyAlreadyBound:
            AuthorityError(.keyAlreadyBound, "there is a key of this identifier already", underlying: error)
        case .storeFailed, .libraryFailure:
            AuthorityError(.storeFailed, "the key cannot be kept", underlying: error)
        default: AuthorityError(.invalidAttestation, "the attestation is refused", underlying: error)
        }
    }

    /// 128 bits to find the challenge by and 256 to answer.
    private static func challenge(_ kind: AttestationKind) throws(AuthorityError) -> IssuedChallenge {
        do throws(CryptographyError) {
            return IssuedChallenge(
                sessionID: Base64.url.encode(try RandomBytes.generate(count: 16)),
                nonce: Base64.url.encode(try RandomBytes.generate(count: 32)),
                kind: kind
            )
        } catch {
            throw AuthorityError(.challengeFailed, "a challenge cannot be made", underlying: error)
        }
    }

    /// Octet by octet: equal text may be other octets.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        left.utf8.elementsEqual(right.utf8)
    }
}

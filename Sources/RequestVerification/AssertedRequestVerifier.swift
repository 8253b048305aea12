public import AppAttestation
import Encodings
public import HTTPMessages
import MessageSignatures
public import Timing

/// What a backend runs on each request of an attested client: the three fields, the time, the signature and the counter.
///
/// The checks that cost least come first, and nothing is stored before the last:
///
/// 1. each field is there once (`missingField`, `malformedField`) and in its form (`malformedField`);
/// 2. the timestamp lies in the window (`staleTimestamp`);
/// 3. `Content-Digest`, where the request has one, is that of the content (`bodyChanged`);
/// 4. the key is known (`unknownKey`);
/// 5. the signature is the key's, over method, path, query, timestamp and content (`badSignature`), for its app
///    and by one whose attestation has a format that is accepted (`unsuitableAssertion`);
/// 6. the counter is above the stored one (`counterNotAdvanced`), and takes its place by compare and swap
///    (`counterOvertaken`).
///
/// Anyone can make a request that fails at 1 to 5, so none of those touches the counter. A content that was changed fails at
/// 5, and at 3 where the client states a digest: the digest is not signed, so that it tells a damaged content from a wrong
/// signature but proves nothing itself.
///
/// ```swift
/// let verifier = AssertedRequestVerifier(keys: store, formats: [.appleAppAttest])
/// do { let proof = try await verifier.verify(request) } catch { return error.problem }
/// ```
public struct AssertedRequestVerifier: Sendable {
    private let keys: any AttestedKeyStore
    private let formats: Set<AttestedKeyFormat>
    private let fields: AssertionFields
    private let signingString: RequestSigningString
    private let verifier: AssertionVerifier
    private let window: Int64
    private let time: TimeSource

    /// An assertion is a map of a signature and authenticator data; 16 KiB is what the verifier reads.
    private static let maximumAssertion = 24 << 10
    /// As long as a credential identifier may be (WebAuthn Level 3, section 7.1).
    private static let maximumKeyID = 1023

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - keys: The attested keys, with their counters.
    ///   - formats: What may have vouched for a key. Keys of `installationKey` anyone can make: name it only where the
    ///     endpoints decide who may, or where no request means more than that it comes from the same client.
    ///   - fields: The names of the fields, as the client has them.
    ///   - signingString: How the signed string is built, as the client has it.
    ///   - verifier: Verifies the assertions.
    ///   - window: How far the timestamp may lie before or after now, both ends included; whole seconds count.
    ///   - time: The clock.
    public init(
        keys: any AttestedKeyStore,
        formats: Set<AttestedKeyFormat>,
        fields: AssertionFields = AssertionFields(),
        signingString: RequestSigningString = .standard,
        verifier: AssertionVerifier = AssertionVerifier(),
        window: Duration = .seconds(60),
        time: TimeSource = .system
    ) {
        self.keys = keys
        self.formats = formats
        self.fields = fields
        self.signingString = signingString
        self.verifier = verifier
        self.window = max(0, window.components.seconds)
        self.time = time
    }

    /// Verifies a request and stores its counter.
    ///
    /// - Parameter request: The request as it came, with its content in memory.
    /// - Returns: The proof; of several calls with one request a single one gets it.
    /// - Throws: ``VerificationError``, whose code says what was wrong and which status fits.
    public func verify(_ request: HTTPRequest) async throws(VerificationError) -> AssertedRequest {
        let keyID = try octets(fields.keyID, in: request, 1...Self.maximumKeyID)
        let object = try octets(fields.signature, in: request, 1...Self.maximumAssertion)
        let text = try value(fields.timestamp, in: request)
        guard let timestamp = AssertionTimestamp.secondsSince1970(text) else {
            throw VerificationError(.malformedField, "the timestamp is not in its form")
        }
        let now = time.secondsSince1970
        guard now - timestamp <= window, timestamp - now <= window else {
            throw VerificationError(.staleTimestamp, "the timestamp is too old, or of the future")
        }
        let body = try content(of: request)
        try checkDigest(in: request.fields, of: body)
        let parts = RequestSigningString.Parts(
            method: request.method.rawValue,
            authority: request.target.authority,
            path: request.target.originForm,
            timestamp: text,
            body: body
        )
        do throws(AttestationError) {
            let hash = try signingString.clientDataHash(for: parts)
            let assertion = try await verify(object, hash, keyID, keys)
            return AssertedRequest(assertion: assertion, timestamp: timestamp)
        } catch {
            throw Self.refusal(error)
        }
    }

    private func verify(
        _ object: [UInt8],
        _ hash: [UInt8],
        _ keyID: [UInt8],
        _ keys: some AttestedKeyStore
    ) async throws(AttestationError) -> VerifiedAssertion {
        let assertion = try await verifier.verify(
            object,
            clientDataHash: hash,
            keyID: keyID,
            store: keys,
            formats: formats
        )
        // WebAuthn lets authenticators not count; then nothing tells a request from its replay.
        guard assertion.counter > assertion.previousCounter else {
            throw AttestationError(.counterNotAdvanced, "the key does not count its assertions")
        }
        return assertion
    }

    private func value(_ name: HTTPField.Name, in request: HTTPRequest) throws(VerificationError) -> String {
        let values = request.fields[values: name]
        guard let value = values.first, !value.isEmpty else {
            throw VerificationError(.missingField, "there is no field \(name)")
        }
        guard values.count == 1 else {
            throw VerificationError(.malformedField, "the field \(name) stands more than once")
        }
        return value
    }

    private func octets(
        _ name: HTTPField.Name,
        in request: HTTPRequest,
        _ count: ClosedRange<Int>
    ) throws(VerificationError) -> [UInt8] {
        let text = try value(name, in: request)
        guard text.utf8.count <= count.upperBound * 4 / 3 + 4 else {
            throw VerificationError(.malformedField, "the field \(name) is too long")
        }
        do throws(DecodingFault) { return try Base64.standard.decode(text) } catch {
            throw VerificationError(.malformedField, "the field \(name) is not Base 64", underlying: error)
        }
    }

    private func content(of request: HTTPRequest) throws(VerificationError) -> [UInt8] {
        guard let body = request.body else { return [] }
        guard let bytes = body.bytes else {
            throw VerificationError(.unavailable, "the content is not in memory")
        }
        return bytes
    }

    private func checkDigest(in fields: HTTPFields, of body: [UInt8]) throws(VerificationError) {
        guard let value = fields["Content-Digest"] else { return }
        do throws(SignatureError) {
            try DigestField(parsing: Array(value.utf8)).check(body)
        } catch {
            switch error.code {
            case .contentDigestMismatch:
                throw VerificationError(.bodyChanged, "the content is not the one of Content-Digest")
            // Of algorithms that are not known here nothing can be said; the signature decides.
            case .noSupportedDigestAlgorithm: return
            case .cryptographyFailure:
                throw VerificationError(.unavailable, "the digest cannot be computed", underlying: error)
            default:
                throw VerificationError(
                    .malformedField,
                    "Content-Digest is not in its form",
                    underlying: error
                )
            }
        }
    }

    private static func refusal(_ error: AttestationError) -> VerificationError {
        let code: VerificationError.Code =
            switch error.code {
            case .unknownKey: .unknownKey
            case .counterNotAdvanced: .counterNotAdvanced
            case .counterOvertaken: .counterOvertaken
            case .malformedObject, .malformedAuthenticatorData: .malformedField
            case .appIDMismatch, .formatNotAllowed, .malformedExtensions, .extensionsNotAllowed:
                .unsuitableAssertion
            case .storeFailed, .libraryFailure: .unavailable
            default: .badSignature
            }
        return VerificationError(code, "the assertion is refused", underlying: error)
    }
}

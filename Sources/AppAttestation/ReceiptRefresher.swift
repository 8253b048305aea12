import Cryptography
import Encodings
public import HTTPMessages
public import JSONWebTokens
public import Timing

/// Exchanges a receipt for a newer one at Apple's server.
public struct ReceiptRefresher: Sendable {
    /// What Apple's server says.
    public enum Answer: Sendable, Hashable {
        /// A new receipt (200): verify it with ``ReceiptVerifier``, and store it in the place of the old one.
        case receipt([UInt8])
        /// It is too early (304): keep the old one.
        case tooEarly
        /// Apple has no data of the key (404), which may change.
        case noData
    }

    private static let maximumAnswer = 64 << 10

    private let teamID: String
    private let signer: TokenSigner
    private let time: TimeSource

    /// Makes a refresher.
    ///
    /// - Parameters:
    ///   - teamID: The team identifier of the developer account, not the App ID prefix.
    ///   - key: The account's key for DeviceCheck: a P-256 private key for ES256, with its key identifier.
    ///   - time: The clock.
    /// - Throws: ``AttestationError`` with code `invalidRequest` for another key.
    public init(teamID: String, key: JSONWebKey, time: TimeSource = .system) throws(AttestationError) {
        guard key.algorithm == .es256, key.keyID != nil, !teamID.isEmpty else {
            throw AttestationError(
                .invalidRequest,
                "a request needs a team and a key for ES256 with an identifier"
            )
        }
        do throws(TokenError) { signer = try TokenSigner(key: key, type: nil) } catch {
            throw AttestationError(.invalidRequest, "the key does not sign", underlying: error)
        }
        self.teamID = teamID
        self.time = time
    }

    /// Exchanges a receipt.
    ///
    /// - Parameters:
    ///   - receipt: The newest receipt of the key.
    ///   - environment: The environment of the key.
    ///   - session: What sends the request; one without the interceptors of other requests.
    /// - Returns: What Apple's server says; a new receipt is not verified.
    /// - Throws: ``AttestationError`` with code `invalidRequest`, `receiptNotExchanged` for any other status, or
    ///   `malformedReceipt` for content that is not Base 64; what the session throws.
    public func refresh(
        _ receipt: [UInt8],
        environment: AppAttestEnvironment,
        through session: any HTTPSession
    ) async throws -> Answer {
        var request = try request(for: receipt, environment: environment)
        request.options.maximumResponseSize = Self.maximumAnswer
        let response = try await session.data(for: request)
        switch response.status.code {
        case 200:
            let text = String(decoding: response.body, as: UTF8.self).filter { !$0.isNewline }
            do throws(DecodingFault) { return .receipt(try Base64.standard.decode(text)) } catch {
                throw AttestationError(.malformedReceipt, "the answer is not Base 64", underlying: error)
            }
        case 304: return .tooEarly
        case 404: return .noData
        case let status:
            throw AttestationError(.receiptNotExchanged, "the server answered with status \(status)")
        }
    }

    /// Builds a request, for those who send it in their own way.
    ///
    /// - Parameters:
    ///   - receipt: The newest receipt of the key.
    ///   - environment: The environment of the key.
    /// - Returns: A POST with the receipt in Base 64, and the token in `Authorization` without a scheme, as Apple has it.
    /// - Throws: ``AttestationError`` with code `invalidRequest`.
    public func request(
        for receipt: [UInt8],
        environment: AppAttestEnvironment
    ) throws(AttestationError) -> HTTPRequest {
        let host =
            switch environment {
            case .production: "data.appattest.apple.com"
            case .development: "data-development.appattest.apple.com"
            }
        var claims = TokenClaims()
        claims.issuer = teamID
        claims.issuedAt = time.secondsSince1970
        do {
            var fields = HTTPFields()
            try fields.append(signer.sign(claims), for: .authorization)
            return try HTTPRequest(
                method: .post,
                url: "https://\(host)/v1/attestationData",
                fields: fields,
                body: HTTPBody(Base64.standard.encodeToBytes(receipt))
            )
        } catch {
            throw AttestationError(.invalidRequest, "the request cannot be built", underlying: error)
        }
    }
}

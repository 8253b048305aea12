import Cryptography
import Encodings
public import HTTPMessages
public import JSONWebTokens
public import Timing

/// Builds the requests that exchange a receipt for a newer one at Apple's server.
///
/// Answers: 200 with a new receipt in Base 64, to be verified and stored in the place of the old one; 304 when it is too early,
/// keep the old one; 404 when Apple has no data of the key.
public struct ReceiptRefresher: Sendable {
    private let teamID: String
    private let signer: TokenSigner
    private let time: TimeSource

    /// Makes a builder.
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

    /// Builds a request.
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

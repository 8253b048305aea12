/// How a fetch of a token, a secure string or a custom JWT went.
///
/// The raw value is the text that the service sends as a token when it is told to say why it has none.
public enum FetchStatus: String, Sendable, Hashable, CaseIterable {
    /// It worked.
    case success = "SUCCESS"
    /// There is no network.
    case noNetwork = "NO_NETWORK"
    /// The network did not answer in time, or lost the answer.
    case poorNetwork = "POOR_NETWORK"
    /// The connection to the authority is not the pinned one: somebody stands in the middle.
    case mitmDetected = "MITM_DETECTED"
    /// The attestation service cannot be reached or has nothing to give.
    case noAttestationService = "NO_ATTESTATION_SERVICE"
    /// The URL is not one.
    case badURL = "BAD_URL"
    /// The URL's host is not one that the account protects.
    case unknownURL = "UNKNOWN_URL"
    /// The URL's host is known, and is not to be given a token.
    case unprotectedURL = "UNPROTECTED_URL"
    /// Protection has not been initialized.
    case notInitialized = "NOT_INITIALIZED"
    /// The installation failed its attestation.
    case rejected = "REJECTED"
    /// The account does not have the feature.
    case disabled = "DISABLED"
    /// There is no secure string under the key.
    case unknownKey = "UNKNOWN_KEY"
    /// The key of a secure string is not a valid one.
    case badKey = "BAD_KEY"
    /// The payload of a custom JWT is not a JSON object.
    case badPayload = "BAD_PAYLOAD"
    /// Something failed that should not.
    case internalError = "INTERNAL_ERROR"
}

public import Cryptography
public import FoundationEssentials

/// A receipt of Apple's fraud assessment whose signature was verified; only ``ReceiptVerifier`` makes one.
public struct VerifiedReceipt: Sendable {
    /// What a receipt is.
    public enum Kind: String, Sendable, Hashable {
        /// It came with the attestation.
        case attestation = "ATTEST"
        /// It came from Apple's server, in exchange for an older one.
        case refreshed = "RECEIPT"
    }

    /// What the receipt is.
    public let kind: Kind
    /// The App ID.
    public let appID: String
    /// The certificate of the attested key.
    public let attestedCertificate: Certificate
    /// The client data hash of the attestation.
    ///
    /// In refreshed receipts Apple spoils it; do not compare it there.
    public let clientHash: [UInt8]
    /// Apple's name for the key, in Base 64.
    public let token: String?
    /// `sandbox` or `production`, which Apple does not document.
    public let environment: String?
    /// About how many keys the device has attested for the app in the last 30 days; nil when it is not told.
    ///
    /// It may fall.
    public let riskMetric: Int?
    /// When Apple made the receipt.
    public let creationTime: Date
    /// From when on Apple exchanges the receipt for a new one; nil when it is not told.
    public let notBefore: Date?
    /// When the receipt ends.
    public let expirationTime: Date
    /// The receipt's octets, to be stored and exchanged later.
    public let bytes: [UInt8]
}

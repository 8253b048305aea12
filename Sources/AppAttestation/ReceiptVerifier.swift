public import Cryptography
import FoundationEssentials
public import Timing

/// Verifies receipts of Apple's fraud assessment, which come with attestations and from Apple's server.
///
/// A receipt that fails is no reason to refuse its attestation: those of 2020 are known to carry wrong signatures. It is a
/// reason not to believe its metric.
public struct ReceiptVerifier: Sendable {
    private let verifier: CertificateVerifier
    private let maximumAge: Double
    private let time: TimeSource

    /// How far Apple's clock and this one may be apart, in seconds.
    private static let skew: Double = 300

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - maximumAge: How old the receipt of an attestation may be, in whole seconds.
    ///   - roots: The roots of trust; nil for Apple Root CA - G3.
    ///   - time: The clock.
    /// - Throws: ``AttestationError`` with code `libraryFailure`, also for an empty list of roots.
    public init(
        maximumAge: Duration = .seconds(300),
        roots: [Certificate]? = nil,
        time: TimeSource = .system
    ) throws(AttestationError) {
        verifier = try AttestationError.run { () throws(CryptographyError) in
            if let roots { return try CertificateVerifier(roots: roots) }
            return try CertificateVerifier(roots: [AppleRoots.rootG3()])
        }
        self.maximumAge = Double(maximumAge.components.seconds)
        self.time = time
    }

    /// Verifies the receipt of an attestation: that it was made for this app, key and client data, just now.
    ///
    /// - Throws: ``AttestationError`` with code `malformedReceipt`, `invalidReceiptSignature` (also when the cryptographic
    ///   library fails), `receiptMismatch` or `receiptExpired`.
    public func verify(
        receiptOf attestation: VerifiedAttestation
    ) throws(AttestationError) -> VerifiedReceipt {
        guard let bytes = attestation.receipt else {
            throw AttestationError(.malformedReceipt, "the attestation has no receipt")
        }
        let receipt = try verify(bytes, key: attestation.key)
        guard receipt.kind == .attestation, attestation.certificates.first == receipt.attestedCertificate,
            ConstantTime.equal(receipt.clientHash, attestation.clientDataHash)
        else { throw AttestationError(.receiptMismatch, "the receipt is not that of the attestation") }
        guard time.date().timeIntervalSince(receipt.creationTime) <= maximumAge else {
            throw AttestationError(.receiptExpired, "the receipt was made too long ago")
        }
        return receipt
    }

    /// Verifies a receipt of a key, old or refreshed.
    ///
    /// - Throws: ``AttestationError`` as ``verify(receiptOf:)`` does.
    public func verify(
        _ bytes: [UInt8],
        key: AttestedKey
    ) throws(AttestationError) -> VerifiedReceipt {
        let receipt = try read(bytes, ReceiptFields(verifiedContent(bytes)))
        guard receipt.appID.utf8.elementsEqual(key.appID.utf8),
            receipt.attestedCertificate.subjectPublicKeyInfo == key.publicKey.spkiDER
        else { throw AttestationError(.receiptMismatch, "the receipt belongs to another app or key") }
        let now = time.date()
        guard now < receipt.expirationTime, now.timeIntervalSince(receipt.creationTime) >= -Self.skew else {
            throw AttestationError(.receiptExpired, "the receipt has expired or comes from the future")
        }
        return receipt
    }

    private func verifiedContent(_ bytes: [UInt8]) throws(AttestationError) -> [UInt8] {
        do throws(CryptographyError) {
            let message = try SignedData(verifying: bytes)
            let others = message.certificates.filter { $0 != message.signer }
            _ = try verifier.verify(message.signer, intermediates: others, at: time.secondsSince1970)
            // Apple's root issues much else: this extension marks the signers of receipts.
            guard try message.signer.extensionValue("1.2.840.113635.100.12.15") != nil else {
                throw CryptographyError(.untrustedCertificate, "the signer is not one of receipts")
            }
            return message.content
        } catch {
            throw AttestationError(
                .invalidReceiptSignature,
                "the receipt is not signed by a signer of receipts",
                underlying: error
            )
        }
    }

    private func read(_ bytes: [UInt8], _ fields: ReceiptFields) throws(AttestationError) -> VerifiedReceipt {
        guard let kind = VerifiedReceipt.Kind(rawValue: try fields.text(6)) else {
            throw ReceiptFields.malformed
        }
        let der = try fields.octets(3)
        let certificate: Certificate
        do throws(CryptographyError) { certificate = try Certificate(der: der) } catch {
            throw ReceiptFields.malformed
        }
        var metric: Int?
        if let text = try fields.optionalText(17) {
            guard let number = Int(text), number >= 0, "\(number)" == text else {
                throw ReceiptFields.malformed
            }
            metric = number
        }
        return VerifiedReceipt(
            kind: kind,
            appID: try fields.text(2),
            attestedCertificate: certificate,
            clientHash: try fields.octets(4),
            token: try fields.optionalText(5),
            environment: try fields.optionalText(7),
            riskMetric: metric,
            creationTime: try fields.date(12),
            notBefore: try fields.optionalDate(19),
            expirationTime: try fields.date(21),
            bytes: bytes
        )
    }
}

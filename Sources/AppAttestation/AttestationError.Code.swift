extension AttestationError {
    /// What was wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name, for logs and tests.
        public let description: String

        /// Makes a code; a format of one's own may have its own.
        public init(description: String) { self.description = description }

        /// The object is not strict CBOR, or not a map of just the members that it must have.
        public static let malformedObject = Code(description: "malformedObject")
        /// The verifier takes no attestations of this format.
        public static let unknownFormat = Code(description: "unknownFormat")
        /// The attestation statement does not have the members of its format.
        public static let malformedStatement = Code(description: "malformedStatement")
        /// The statement does not have as many certificates as its format asks for.
        public static let certificateCount = Code(description: "certificateCount")
        /// A certificate cannot be read, or does not have the form that the format asks for.
        public static let invalidCertificate = Code(description: "invalidCertificate")
        /// A certificate of the chain has expired at the time of verification.
        public static let certificateExpired = Code(description: "certificateExpired")
        /// A certificate of the chain is not yet in force at the time of verification.
        public static let certificateNotYetValid = Code(description: "certificateNotYetValid")
        /// The certificates do not lead to a root of trust.
        public static let untrustedCertificate = Code(description: "untrustedCertificate")
        /// The leaf certificate has no nonce, or one out of its form.
        public static let missingNonce = Code(description: "missingNonce")
        /// The leaf certificate was issued for other authenticator data or another client data hash.
        public static let nonceMismatch = Code(description: "nonceMismatch")
        /// The attested key is not the one that the key identifier names.
        public static let keyIDMismatch = Code(description: "keyIDMismatch")
        /// The authenticator data belong to an app that is not expected here.
        public static let appIDMismatch = Code(description: "appIDMismatch")
        /// The counter of a new key is not zero.
        public static let counterNotZero = Code(description: "counterNotZero")
        /// The AAGUID is not one of the format's.
        public static let unknownAuthenticator = Code(description: "unknownAuthenticator")
        /// The key belongs to an environment that is not accepted here.
        public static let environmentNotAllowed = Code(description: "environmentNotAllowed")
        /// The credential identifier is not the key identifier.
        public static let credentialIDMismatch = Code(description: "credentialIDMismatch")
        /// The public key of the authenticator data is not the attested key.
        public static let keyMismatch = Code(description: "keyMismatch")
        /// The authenticator data are not in their form.
        public static let malformedAuthenticatorData = Code(description: "malformedAuthenticatorData")
        /// The credential's key is of a kind that this library does not use.
        public static let unsupportedKey = Code(description: "unsupportedKey")
        /// A known extension of the authenticator data has a wrong type or length.
        public static let malformedExtensions = Code(description: "malformedExtensions")
        /// The policy does not accept the extensions, or that they are missing.
        public static let extensionsNotAllowed = Code(description: "extensionsNotAllowed")
        /// The signature algorithm is not one of this library's, or not one of the key's.
        public static let unsupportedAlgorithm = Code(description: "unsupportedAlgorithm")
        /// The signature is wrong.
        public static let invalidSignature = Code(description: "invalidSignature")
        /// The statement has no certificates, and the format was set up to want some.
        public static let selfAttestationNotAllowed = Code(description: "selfAttestationNotAllowed")
        /// A structure of the TPM is not in its form, or not of the kind that certifies a key.
        public static let malformedTPMStructure = Code(description: "malformedTPMStructure")
        /// The key was not made in the TPM or can leave it, and the format was set up to want one that stays.
        public static let portableKeyNotAllowed = Code(description: "portableKeyNotAllowed")
        /// The client data hash is shorter than 16 octets.
        public static let invalidClientDataHash = Code(description: "invalidClientDataHash")
        /// What vouched for the key of an assertion is not accepted here.
        public static let formatNotAllowed = Code(description: "formatNotAllowed")
        /// The counter of an assertion is not above the one stored: a replay, or a copy of the key.
        public static let counterNotAdvanced = Code(description: "counterNotAdvanced")
        /// The assertion was right, but another one with a higher counter came first; ask for a new one.
        public static let counterOvertaken = Code(description: "counterOvertaken")
        /// The store has no key of this identifier.
        public static let unknownKey = Code(description: "unknownKey")
        /// The store has a key of this identifier already.
        public static let keyAlreadyBound = Code(description: "keyAlreadyBound")
        /// The store failed.
        public static let storeFailed = Code(description: "storeFailed")
        /// The receipt's fields are not in their form.
        public static let malformedReceipt = Code(description: "malformedReceipt")
        /// The receipt is not signed by a signer of receipts.
        public static let invalidReceiptSignature = Code(description: "invalidReceiptSignature")
        /// The receipt belongs to another app, key or attestation.
        public static let receiptMismatch = Code(description: "receiptMismatch")
        /// The receipt has expired, or was created after the time of verification or too long before it.
        public static let receiptExpired = Code(description: "receiptExpired")
        /// Apple's server gave neither a new receipt nor one of the reasons that it has for giving none.
        public static let receiptNotExchanged = Code(description: "receiptNotExchanged")
        /// The request for a new receipt cannot be built of these values.
        public static let invalidRequest = Code(description: "invalidRequest")
        /// The string that an assertion signs for a request could stand for another request as well.
        public static let ambiguousSigningString = Code(description: "ambiguousSigningString")
        /// The cryptographic library failed.
        public static let libraryFailure = Code(description: "libraryFailure")

        /// What a backend refuses an attestation with.
        package static let refusals: [Code] = [
            .malformedObject, .unknownFormat, .malformedStatement, .certificateCount, .invalidCertificate,
            .certificateExpired, .certificateNotYetValid, .untrustedCertificate, .missingNonce,
            .nonceMismatch,
            .keyIDMismatch, .appIDMismatch, .counterNotZero, .unknownAuthenticator, .environmentNotAllowed,
            .credentialIDMismatch, .keyMismatch, .malformedAuthenticatorData, .unsupportedKey,
            .malformedExtensions, .extensionsNotAllowed, .unsupportedAlgorithm, .invalidSignature,
            .selfAttestationNotAllowed, .malformedTPMStructure, .portableKeyNotAllowed,
            .invalidClientDataHash,
        ]
    }
}

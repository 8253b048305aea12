import Cryptography

/// The two hashes that attestations and assertions are about.
enum AppIdentity {
    /// What authenticator data hold of an app's identifier.
    static func hash(of appID: String) throws(AttestationError) -> [UInt8] { try hash(Array(appID.utf8)) }

    static func hash(_ bytes: [UInt8]) throws(AttestationError) -> [UInt8] {
        try AttestationError.run { () throws(CryptographyError) in try HashAlgorithm.sha256.hash(bytes) }
    }

    /// Apple asks for 16 octets at least, and not for a SHA-256.
    static func checkClientDataHash(_ hash: [UInt8]) throws(AttestationError) {
        guard hash.count >= 16 else {
            throw AttestationError(.invalidClientDataHash, "a client data hash has at least 16 octets")
        }
    }
}

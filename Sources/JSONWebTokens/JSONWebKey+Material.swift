package import Cryptography

/// What other parts of the package sign and verify with.
extension JSONWebKey {
    /// What signs.
    package enum SigningMaterial: Sendable {
        case privateKey(PrivateKey)
        case secret(HMACKey)
    }

    /// What verifies.
    package enum VerifyingMaterial: Sendable {
        case publicKey(PublicKey)
        case secret(HMACKey)
    }

    /// What the key signs with; nil for one that may not or cannot.
    package var signingMaterial: SigningMaterial? {
        guard operations.contains(.sign) else { return nil }
        switch material {
        case .secret(_, let key): return .secret(key)
        case .publicKey: return nil
        case .privateKey(let key, _): return .privateKey(key)
        }
    }

    /// What the key verifies with; nil for one that may not.
    package var verifyingMaterial: VerifyingMaterial? {
        guard operations.contains(.verify) else { return nil }
        switch material {
        case .secret(_, let key): return .secret(key)
        case .publicKey(let key, _): return .publicKey(key)
        case .privateKey(let key, _): return .publicKey(key.publicKey)
        }
    }
}

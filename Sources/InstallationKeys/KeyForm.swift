internal import Cryptography

/// What a key file holds: the key itself, or what lets a device alone use it.
enum KeyForm: Sendable {
    case software
    case device(KeyProvider, SecretBytes?)

    /// Takes the key of a file's octets.
    func read(_ octets: [UInt8]) throws(CryptographyError) -> PrivateKey {
        switch self {
        case .software: return try PrivateKey(pkcs8PEM: octets)
        case .device(let provider, let passphrase):
            guard let text = String(validating: octets, as: UTF8.self) else {
                throw CryptographyError(.invalidPEM, "the key file is not text in UTF-8")
            }
            return try PrivateKey(pem: text, provider: provider, passphrase: passphrase)
        }
    }

    /// Makes a key of P-256 and the octets of its file.
    func make() throws(CryptographyError) -> (PrivateKey, [UInt8]) {
        switch self {
        case .software:
            let key = try PrivateKey.generate(.p256)
            return (key, try key.pkcs8PEMOctets())
        case .device(let provider, let passphrase):
            let made = try provider.generateKey(passphrase: passphrase)
            return (made.privateKey, Array(made.pem.utf8))
        }
    }
}

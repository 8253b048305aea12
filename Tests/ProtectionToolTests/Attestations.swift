import AppAttestationClient
import Cryptography
import Encodings
import TestSupport
import Testing

/// An attested key, an assertion and a receipt, which the examples and the tests of `attest` use.
enum Attestations {
    static let appID = "org.example.app"

    /// Writes the files.
    static func write(to folder: TemporaryFolder) throws {
        let provider = SoftwareAttestationProvider(directory: folder.path, appID: appID)
        let keyID = try provider.generateKey()
        let hash = try HashAlgorithm.sha256.hash(Array("a nonce".utf8))
        try folder.write("nonce.txt", "a nonce")
        try folder.write("key-id.txt", keyID + "\n")
        try folder.write("attestation.cbor", provider.attestKey(keyID, clientDataHash: hash))
        let assertion = try provider.generateAssertion(keyID, clientDataHash: hash)
        try folder.write("assertion.b64", Base64.standard.encode(assertion) + "\n")
        let name = Hex.encode(try Base64.standard.decode(keyID)) + ".key"
        let key = try PrivateKey(pem: folder.text(name)).publicKey
        try folder.write("attested.pem", key.pem, mode: 0o644)
        let mint = try ReceiptMint(attestedKey: key)
        try folder.write("receipt-root.pem", mint.root.pem, mode: 0o644)
        try folder.write("receipt.der", mint.receipt(mint.fields(appID: appID)))
    }
}

internal import Cryptography
internal import Encodings

/// The identifier of a key: the SHA-256 of its public point, as octets and in Base 64.
struct KeyIdentifier {
    let octets: [UInt8]

    /// The identifier of a P-256 key.
    init(of key: PublicKey) throws(AttestationClientError) {
        guard key.keyType == .p256, let point = key.x963 else {
            throw AttestationClientError(.cryptographyFailure, "the key is not one of P-256")
        }
        octets = try AttestationClientError.cryptography { () throws(CryptographyError) in
            try HashAlgorithm.sha256.hash(point)
        }
    }

    /// Reads an identifier.
    ///
    /// - Throws: ``AttestationClientError`` with code `keyInvalid` for text that cannot be one.
    init(_ text: String) throws(AttestationClientError) {
        guard let octets = try? Base64.standard.decode(text), octets.count == 32 else {
            throw AttestationClientError(.keyInvalid, "the text is not the identifier of a key")
        }
        self.octets = octets
    }

    var text: String { Base64.standard.encode(octets) }

    /// The name of its files, without an ending.
    var fileName: String { Hex.encode(octets) }

    /// A text with a path in it, for people: names of files that are those of keys are cut to their first four octets.
    static func shortened(in text: String) -> String {
        text.split(separator: "/", omittingEmptySubsequences: false).map { part in
            let name = part.prefix { $0.isASCII && $0.isHexDigit }
            return name.count == 64 ? "\(name.prefix(8))*\(part.dropFirst(64))" : String(part)
        }.joined(separator: "/")
    }

    /// Whether a text of another provider or a file can be an identifier.
    static func isOne(_ text: String) -> Bool { (1...1024).contains(text.utf8.count) }
}

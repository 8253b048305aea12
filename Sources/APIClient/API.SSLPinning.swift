import Cryptography
public import FoundationEssentials
import HTTPMessages

extension API {
    /// The keys that the servers of an API are pinned to, on top of the verification of their certificates.
    ///
    /// One certificate of the verified chain, its root included, must have one of the keys. The pins hold for every host
    /// that the API calls, and a URL of `http` is refused.
    public enum SSLPinning: Sendable, Hashable {
        /// Nothing is pinned.
        case disabled
        /// The keys of the certificates in these files, in DER or PEM; a PEM file may hold several.
        case enabledWithCertificateURLs([URL])
        /// The SHA-256 of public keys (SubjectPublicKeyInfo), in Base 64, with or without `sha256/` in front.
        case enabledWithKeyHashes([String])

        /// The keys of the certificates in the files of these paths.
        public static func enabledWithCertificateFiles(_ paths: [String]) -> SSLPinning {
            .enabledWithCertificateURLs(paths.map { URL(filePath: $0) })
        }

        /// The pins; nil when nothing is pinned.
        ///
        /// - Throws: ``APIError`` with code `invalidConfiguration` for an empty list, a file that cannot be read or is no
        ///   certificate, or a text that is no hash.
        func policy() throws(APIError) -> PinningPolicy? {
            var pins: [PublicKeyPin] = []
            do {
                switch self {
                case .disabled: return nil
                case .enabledWithKeyHashes(let hashes):
                    for hash in hashes { pins.append(try PublicKeyPin(parsing: hash)) }
                case .enabledWithCertificateURLs(let urls):
                    for url in urls {
                        for certificate in try Self.certificates(in: url) {
                            pins.append(try PublicKeyPin(sha256: certificate.subjectPublicKeyInfoSHA256))
                        }
                    }
                }
            } catch {
                throw APIError(.invalidConfiguration, "a pin cannot be read", underlying: error)
            }
            guard !pins.isEmpty else {
                throw APIError(.invalidConfiguration, "pinning is asked for and there is no pin")
            }
            return PinningPolicy(others: PinSet(pins))
        }

        private static func certificates(in url: URL) throws -> [Certificate] {
            guard url.isFileURL,
                let octets = try FileOctets.read(url.path(percentEncoded: false), upTo: 1 << 20)
            else {
                throw APIError(.invalidConfiguration, "a certificate is read from a file of at most 1 MiB")
            }
            // DER starts with a SEQUENCE, which is no letter of PEM.
            if octets.first == 0x30 { return [try Certificate(der: octets)] }
            return try Certificate.all(pem: String(decoding: octets, as: UTF8.self))
        }
    }
}

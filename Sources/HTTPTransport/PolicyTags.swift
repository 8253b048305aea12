import Cryptography
import Encodings
import HTTPMessages
import Locking

/// The hashes of what a session demands of TLS; most of its requests demand the same.
final class PolicyTags: Sendable {
    private struct Key: Hashable {
        let store: [UInt8]
        let pins: [PublicKeyPin]?
        let mode: PinSet.Mode?
        let identity: ClientIdentity?
    }

    private static let maximumCount = 256

    private let known = Mutex<[Key: String]>([:])

    /// A hash of the trust roots, the pins and the certificate that the client shows, in hexadecimal.
    ///
    /// - Throws: ``TransportError`` with code `internalError` when OpenSSL cannot hash.
    func tag(
        of store: TrustStore,
        _ pins: PinSet?,
        _ identity: ClientIdentity?
    ) throws(TransportError) -> String {
        let key = Key(store: store.identity, pins: pins?.pins, mode: pins?.mode, identity: identity)
        if let tag = known.withLock({ $0[key] }) { return tag }
        let tag: String
        do throws(CryptographyError) {
            tag = try makeTag(store, pins, identity)
        } catch {
            throw TransportError(.internalError, "the TLS policy has no hash")
        }
        known.withLock { known in
            if known.count >= Self.maximumCount { known = [:] }
            known[key] = tag
        }
        return tag
    }

    private func makeTag(
        _ store: TrustStore,
        _ pins: PinSet?,
        _ identity: ClientIdentity?
    ) throws(CryptographyError) -> String {
        var hash = try IncrementalHash.start(.sha256)
        try hash.update(store.identity)
        for certificate in identity?.chain ?? [] { try hash.update(certificate.der) }
        if let pins {
            try hash.update(Array("pins \(pins.mode)".utf8))
            for pin in pins.pins { try hash.update(pin.sha256) }
        }
        return Hex.encode(try hash.finalize())
    }
}

import Cryptography
import HTTPMessages

/// The pins of one request's host, and the check of the handshake that may be made for it.
struct PinCheck: Sendable {
    let host: String
    let pins: PinSet?
    let chain: ChainCheck

    /// - Throws: ``TransportError`` with code `pinningFailed` for an empty set.
    init(
        host: String,
        pins: PinSet?,
        store: TrustStore,
        identity: ClientIdentity?
    ) throws(TransportError) {
        if let pins, pins.pins.isEmpty, pins.mode == .enforce {
            throw TransportError(
                .pinningFailed,
                "the host's set of pins is empty",
                host: host,
                pinning: PinningReport(
                    host: host,
                    expected: [],
                    chain: [],
                    isChainTrusted: false,
                    mode: .enforce
                )
            )
        }
        self.host = host
        self.pins = pins
        let enforced = pins?.mode == .enforce ? pins?.pins.map(\.sha256) : nil
        chain = ChainCheck(store: store, identity: identity) { hashes in
            enforced.map { $0.contains(where: hashes.contains) } ?? true
        }
    }

    /// What there is to tell of the handshake; nil when there was none, or a pin fits.
    var report: PinningReport? {
        guard let pins, let outcome = chain.outcome else { return nil }
        let seen = outcome.keyHashes.compactMap { try? PublicKeyPin(sha256: $0) }
        guard !outcome.isTrusted || !seen.contains(where: pins.pins.contains) else { return nil }
        return PinningReport(
            host: host,
            expected: pins.pins,
            chain: seen,
            isChainTrusted: outcome.isTrusted,
            mode: pins.mode
        )
    }
}

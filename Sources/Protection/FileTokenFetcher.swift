import Encodings
import FoundationEssentials
import JSONWebTokens
import Locking
public import Timing

/// Sends a token that another process keeps in a file: a projected service account token of Kubernetes, the sink of a
/// Vault agent, the output of a SPIFFE helper.
///
/// The file is looked at for each request and read again when it has been replaced or rewritten, also through a chain
/// of symbolic links. The token's own `exp` decides how long it is good; one that is not a JWT has none and is good as
/// long as the file holds it. When a rewrite leaves something unreadable, the last good token serves until it ends.
///
/// A file that every user of the machine may write is refused: anyone could put a token there. The token goes to every protected
/// host, whatever its `aud` says, which is the platform's.
public final class FileTokenFetcher: TokenFetcher {
    private struct Loaded {
        var identity: TokenFile.Identity
        var result: FetchResult
        /// The `pay` claim, which says what the token is bound to.
        var binding: String?
    }

    private let file: TokenFile
    private let time: TimeSource
    private let loaded = Mutex<Loaded?>(nil)

    /// Makes a fetcher of the token in a file; the file need not be there yet.
    public init(path: String, time: TimeSource = .system) {
        file = TokenFile(path: path)
        self.time = time
    }

    /// The file is looked at each time, so a cache in front would only delay a rotation.
    public var hasOwnCache: Bool { true }

    /// Answers with the token in the file.
    ///
    /// The status is `NO_ATTESTATION_SERVICE` when the file is missing, unreadable or holds a token that has ended,
    /// `INTERNAL_ERROR` when it holds something else than a token or may be written by everyone, and `DISABLED` when
    /// the token is asked to be bound to data that it is not bound to.
    public func fetchToken(_ request: TokenRequest) async -> FetchResult {
        let (result, binding) = loaded.withLock { current(&$0) }
        guard result.status == .success else { return result }
        if let expiresAt = result.expiresAt, expiresAt <= time.date() {
            return FetchResult(status: .noAttestationService, detail: "the token in the file has ended")
        }
        guard request.dataHash.map(Base64.standard.encode) ?? binding == binding else {
            return FetchResult(
                status: .disabled,
                detail: "the token in the file is not bound to the request's data"
            )
        }
        return result
    }

    private func current(_ loaded: inout Loaded?) -> (FetchResult, binding: String?) {
        do {
            if let known = loaded, try file.identity() == known.identity {
                return (known.result, known.binding)
            }
            let (identity, octets) = try file.read()
            let fresh = Self.parse(octets, identity)
            // A token that is still good outlives a rewrite that went wrong; it is tried again next time.
            if fresh.result.status != .success, let known = loaded, isGood(known) {
                return (known.result, known.binding)
            }
            loaded = fresh
            return (fresh.result, fresh.binding)
        } catch {
            switch error {
            case .worldWritable:
                loaded = nil
                return (
                    FetchResult(status: .internalError, detail: "every user may write the token file"), nil
                )
            case .notAFile:
                return (FetchResult(status: .internalError, detail: "the token path is no file"), nil)
            case .tooLarge:
                return (FetchResult(status: .internalError, detail: "the token file is too large"), nil)
            case .unreadable(let code):
                if let known = loaded, isGood(known) { return (known.result, known.binding) }
                return (
                    FetchResult(
                        status: .noAttestationService,
                        detail: "the token file cannot be read, errno \(code)"
                    ),
                    nil
                )
            }
        }
    }

    /// Only a token with an end of its own may outlive its file.
    private func isGood(_ loaded: Loaded) -> Bool {
        guard let expiresAt = loaded.result.expiresAt else { return false }
        return loaded.result.status == .success && time.date() < expiresAt
    }

    private static func parse(_ octets: [UInt8], _ identity: TokenFile.Identity) -> Loaded {
        var text = octets[...]
        if text.last == UInt8(ascii: "\n") { text = text.dropLast() }
        if text.last == UInt8(ascii: "\r") { text = text.dropLast() }
        func refused(_ detail: String) -> Loaded {
            Loaded(identity: identity, result: FetchResult(status: .internalError, detail: detail))
        }
        guard !text.isEmpty else { return refused("the token file is empty") }
        guard text.first != UInt8(ascii: "{") else {
            return refused("the token file holds JSON, for example a wrapped Vault token, and not a token")
        }
        guard text.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return refused("the token file holds something else than one line of visible ASCII")
        }
        let token = String(decoding: text, as: UTF8.self)
        guard token.hasPrefix("eyJ") else {
            return Loaded(identity: identity, result: FetchResult(status: .success, token: token))
        }
        guard let parsed = try? UnverifiedToken(parsing: token) else {
            return refused("the token file holds a damaged JWT")
        }
        let claims = parsed.unverifiedClaims
        return Loaded(
            identity: identity,
            result: FetchResult(
                status: .success,
                token: token,
                expiresAt: claims.expiration.map { Date(timeIntervalSince1970: Double($0)) },
                arc: claims["arc"]?.string,
                loggableToken: parsed.loggableForm
            ),
            binding: claims["pay"]?.string
        )
    }
}

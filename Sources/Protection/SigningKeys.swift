public import Cryptography
import Dispatch
import Locking

/// The signing keys of an installation, for a ``TokenFetcher`` to hold.
///
/// Of each kind the present key and the seven before it are kept: a token that was fetched before a key was replaced names
/// the old one until it ends, and there may be several replacements in its life. Account keys are octets that are cleared from memory when they are dropped.
public final class SigningKeys: SigningKeyHolder {
    private struct AccountKey {
        let identifier: String
        let key: HMACKey
    }

    private struct State {
        var installation: [PrivateKey] = []
        /// The one set last, first.
        var account: [AccountKey] = []
        var presentAccountKey: String?
    }

    private static let maximumPredecessors = 7

    private let state = Mutex(State())

    /// Makes a holder.
    ///
    /// - Parameter installation: The installation key, on P-256; nil until ``setInstallationKey(_:)``.
    /// - Throws: ``ProtectionError`` with code `configuration` for a key of another type.
    public init(installation: PrivateKey? = nil) throws(ProtectionError) {
        if let installation { try setInstallationKey(installation) }
    }

    /// The present installation key.
    public var installationKey: PrivateKey? { state.withLock { $0.installation.first } }

    /// Puts an installation key in the place of the present one, which is kept for the tokens that name it.
    ///
    /// Enrol the new key with the authority first.
    ///
    /// - Throws: ``ProtectionError`` with code `configuration` for a key that is not on P-256.
    public func setInstallationKey(_ key: PrivateKey) throws(ProtectionError) {
        guard key.keyType == .p256 else {
            throw ProtectionError(.configuration, "an installation key is one on P-256")
        }
        state.withLock { state in
            let others = state.installation.filter { $0.publicKey != key.publicKey }
            state.installation = [key] + others.prefix(Self.maximumPredecessors)
        }
    }

    /// Puts an account key in the place of the present one, which is kept for the tokens that name it.
    ///
    /// - Parameters:
    ///   - secret: The key, at least 32 octets.
    ///   - identifier: Its name, as the `mskid` claim of tokens has it.
    ///   - isPresent: False for a key that a token names while another one may be present by now: then it is not the one that
    ///     signs where no key is named.
    /// - Throws: ``ProtectionError`` with code `configuration` for a shorter key.
    public func setAccountKey(
        _ secret: SecretBytes,
        identifier: String,
        isPresent: Bool = true
    ) throws(ProtectionError) {
        guard secret.count >= 32 else {
            throw ProtectionError(.configuration, "an account key has 32 octets or more")
        }
        let key: AccountKey
        do {
            key = AccountKey(identifier: identifier, key: try HMACKey(secret, .sha256))
        } catch {
            throw ProtectionError(.configuration, "the account key cannot be used", underlying: error)
        }
        state.withLock { state in
            if isPresent { state.presentAccountKey = identifier }
            var others = state.account.filter { $0.identifier != identifier }
            // The present one is not among those that are forgotten.
            others.sort { left, right in
                left.identifier == state.presentAccountKey && right.identifier != state.presentAccountKey
            }
            state.account = [key] + others.prefix(Self.maximumPredecessors)
        }
    }

    /// Whether there is an account key under an identifier; with nil, whether the present one is known.
    public func hasAccountKey(_ identifier: String?) -> Bool { accountKey(identifier) != nil }

    /// Signs with the installation key of a public half, or with the present one.
    ///
    /// - Throws: ``ProtectionError`` with code `permanent` when there is no such key or it cannot sign, or `networking` when the
    ///   device that has it cannot be asked just now.
    public func installationSignature(of message: [UInt8], publicKey: [UInt8]?) async throws -> [UInt8] {
        let key = state.withLock { state in
            guard let publicKey else { return state.installation.first }
            return state.installation.first { $0.publicKey.spkiDER == publicKey }
        }
        guard let key else {
            throw ProtectionError(
                .permanent,
                "installation signature: there is no key of the token's public half"
            )
        }
        do {
            return try await Self.sign(message, with: key)
        } catch {
            // A device that cannot be asked just now is none that has lost the key.
            let code = (error as? CryptographyError)?.code
            let isPassing = code == .providerUnavailable || code == .deviceLocked
            throw ProtectionError(
                isPassing ? .networking : .permanent,
                "installation signature: the key cannot sign",
                underlying: error
            )
        }
    }

    /// A device takes its time, so its work is done on a thread that may wait.
    private static func sign(_ message: [UInt8], with key: PrivateKey) async throws -> [UInt8] {
        guard key.isHardwareBound else { return try key.sign(message, using: .ecdsaP256SHA256) }
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try key.sign(message, using: .ecdsaP256SHA256) })
            }
        }
    }

    /// Signs with the account key of an identifier, or with the present one.
    ///
    /// - Throws: ``ProtectionError`` with code `permanent` when there is no such key.
    public func accountSignature(of message: [UInt8], keyIdentifier: String?) async throws -> [UInt8] {
        guard let key = accountKey(keyIdentifier) else {
            throw ProtectionError(.permanent, "account signature: there is no key of the token's identifier")
        }
        do {
            return try key.authenticationCode(for: message)
        } catch {
            throw ProtectionError(.permanent, "account signature: the key cannot sign", underlying: error)
        }
    }

    private func accountKey(_ identifier: String?) -> HMACKey? {
        state.withLock { state in
            guard let identifier = identifier ?? state.presentAccountKey else { return nil }
            return state.account.first { $0.identifier == identifier }?.key
        }
    }
}

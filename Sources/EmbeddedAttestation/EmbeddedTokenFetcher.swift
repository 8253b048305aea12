public import AttestationAuthority
public import Cryptography
import FoundationEssentials
public import Protection
import Locking

/// A token fetcher with the whole authority inside the process: for development, tests and demonstrations.
///
/// Nothing is pretended: the fetcher makes an installation key, enrols it, and proves it with every call, as an
/// installation does over a network.
public final class EmbeddedTokenFetcher: TokenFetcher {
    private struct State {
        var enrollment: Task<Installation, any Error>?
        var deviceID: String?
        var developmentKey: String?
        var replacement: Task<Void, any Error>?
    }

    private let authority: AttestationAuthority
    private let account: String
    private let clientAddress: String?
    private let keys: SigningKeys
    private let state = Mutex(State())

    /// Makes a fetcher, and with it a new installation of an account.
    ///
    /// - Parameters:
    ///   - authority: The authority.
    ///   - account: The account, which the configuration must name too.
    ///   - installationKey: The key to enrol, on P-256; nil makes a new one.
    ///   - clientAddress: The `ip` claim of the tokens.
    /// - Throws: `CryptographyError` when no key can be made, `ProtectionError` for a key of another type.
    public init(
        authority: AttestationAuthority,
        account: String,
        installationKey: PrivateKey? = nil,
        clientAddress: String? = nil
    ) throws {
        self.authority = authority
        self.account = account
        self.clientAddress = clientAddress
        keys = try SigningKeys(installation: try installationKey ?? .generate(.p256))
    }

    /// Checks that the configuration is the account's.
    ///
    /// - Throws: `ProtectionError` with code `configuration` when it is another's.
    public func initialize(with configuration: ProtectionConfiguration) throws {
        guard configuration.account == account else {
            throw ProtectionError(
                .configuration,
                "the configuration is of another account than the token fetcher"
            )
        }
    }

    /// The identity that the authority gave this installation, once it has enrolled.
    public var deviceID: String? { state.withLock { $0.deviceID } }

    /// Shows a development key with every call from now on.
    public func setDevelopmentKey(_ key: String?) {
        state.withLock { $0.developmentKey = key }
    }

    /// Attests, and has a token minted.
    public func fetchToken(_ request: TokenRequest) async -> FetchResult {
        await result { installation in
            let access = try await self.access(installation) { nonce in
                .token(
                    account: self.account,
                    installation: installation,
                    nonce: nonce,
                    audience: request.audience,
                    dataHash: request.dataHash
                )
            }
            return Self.result(
                try await self.authority.mintToken(
                    access,
                    audience: request.audience,
                    dataHash: request.dataHash
                )
            )
        }
    }

    /// Attests, and has a secure string read, defined or deleted.
    public func fetchSecureString(_ key: String, newDefinition: String?) async -> FetchResult {
        await result { installation in
            let hash = try newDefinition.map { try HashAlgorithm.sha256.hash(Array($0.utf8)) }
            let access = try await self.access(installation) { nonce in
                .secureString(
                    account: self.account,
                    installation: installation,
                    nonce: nonce,
                    key: key,
                    definitionHash: hash
                )
            }
            let secret = try await self.authority.secureString(
                access,
                key: key,
                newDefinition: newDefinition
            )
            return FetchResult(status: .success, secureString: secret)
        }
    }

    /// Attests, and has a payload signed.
    public func fetchCustomJWT(payload: String) async -> FetchResult {
        await result { installation in
            let hash = try HashAlgorithm.sha256.hash(Array(payload.utf8))
            let access = try await self.access(installation) { nonce in
                .customJWT(
                    account: self.account,
                    installation: installation,
                    nonce: nonce,
                    payloadHash: hash
                )
            }
            return Self.result(try await self.authority.customJWT(access, payload: payload))
        }
    }

    /// Signs with the installation key that the token names.
    public func installationSignature(of message: [UInt8], publicKey: [UInt8]?) async throws -> [UInt8] {
        try await keys.installationSignature(of: message, publicKey: publicKey)
    }

    /// Signs with the account key that the token names; the authority is asked for one that is not here yet, and each time
    /// which is the present one.
    ///
    /// - Throws: `AuthorityError` when the authority refuses, with code `noAccountKey` when there is no such key any more.
    public func accountSignature(of message: [UInt8], keyIdentifier: String?) async throws -> [UInt8] {
        if keyIdentifier == nil || !keys.hasAccountKey(keyIdentifier) {
            let key = try await asInstallation { installation in
                let access = try await self.access(installation) { [account] in
                    .accountKey(
                        account: account,
                        installation: installation,
                        nonce: $0,
                        identifier: keyIdentifier
                    )
                }
                return try await self.authority.accountKey(access, identifier: keyIdentifier)
            }
            try keys.setAccountKey(key.secret, identifier: key.id, isPresent: keyIdentifier == nil)
        }
        return try await keys.accountSignature(of: message, keyIdentifier: keyIdentifier)
    }

    /// Puts another key in the place of the installation key: the authority takes it before the old one goes.
    ///
    /// Tokens that name the old key are signed for with it until they end.
    ///
    /// - Parameter key: The new key, on P-256.
    /// - Throws: `AuthorityError` when the authority refuses; the old key stays then.
    public func replaceInstallationKey(with key: PrivateKey) async throws {
        let replacement = state.withLock { state in
            let before = state.replacement
            let task = Task {
                _ = await before?.result
                try await self.replaceKey(key)
            }
            state.replacement = task
            return task
        }
        try await replacement.value
    }

    private func replaceKey(_ key: PrivateKey) async throws {
        let installation = try await installation().id
        let nonce = try await authority.makeNonce(account: account)
        let publicKey = key.publicKey.spkiDER
        let statement = InstallationProof.replacement(
            account: account,
            installation: installation,
            nonce: nonce,
            publicKey: publicKey
        )
        _ = try await authority.replaceKey(
            access(installation, nonce: nonce, proof: statement),
            publicKey: publicKey,
            proof: try key.sign(statement.signedBytes, using: .ecdsaP256SHA256)
        )
        try keys.setInstallationKey(key)
    }

    private static func result(_ grant: TokenGrant) -> FetchResult {
        FetchResult(
            status: .success,
            token: grant.token,
            expiresAt: Date(timeIntervalSince1970: Double(grant.endsAt)),
            arc: grant.arc,
            traceID: grant.traceID,
            loggableToken: grant.loggableForm
        )
    }

    private func access(
        _ installation: String,
        for proof: (String) -> InstallationProof
    ) async throws -> InstallationAccess {
        let nonce = try await authority.makeNonce(account: account)
        return try await access(installation, nonce: nonce, proof: proof(nonce))
    }

    private func access(
        _ installation: String,
        nonce: String,
        proof: InstallationProof
    ) async throws -> InstallationAccess {
        InstallationAccess(
            account: account,
            installation: installation,
            nonce: nonce,
            proof: try await keys.installationSignature(of: proof.signedBytes, publicKey: nil),
            clientAddress: clientAddress,
            developmentKey: state.withLock { $0.developmentKey }
        )
    }

    /// Does something as an enrolled installation; once more when the key was replaced in the middle of it.
    private func asInstallation<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let installation = try await installation().id
        let key = keys.installationKey?.publicKey
        do {
            return try await body(installation)
        } catch let error as AuthorityError where error.code == .invalidProof {
            _ = await state.withLock { $0.replacement }?.result
            guard keys.installationKey?.publicKey != key else { throw error }
            return try await body(installation)
        }
    }

    /// Does something as an enrolled installation, and turns the authority's refusals into statuses.
    private func result(_ body: (String) async throws -> FetchResult) async -> FetchResult {
        do {
            return try await asInstallation(body)
        } catch let error as AuthorityError {
            return FetchResult(
                status: Self.status(of: error.code),
                arc: error.arc,
                rejectionReasons: error.rejectionReasons,
                detail: error.message
            )
        } catch {
            return FetchResult(status: .internalError, detail: "\(type(of: error))")
        }
    }

    private static func status(of code: AuthorityError.Code) -> FetchStatus {
        switch code {
        case .rejected: .rejected
        case .unknownAudience: .unknownURL
        case .unknownStringKey: .unknownKey
        case .invalidStringKey: .badKey
        case .invalidPayload: .badPayload
        case .storeFailed: .noAttestationService
        default: .internalError
        }
    }

    /// Enrols once; callers that come together wait for one enrolment, and a failed one is tried again.
    private func installation() async throws -> Installation {
        let enrollment = state.withLock { state in
            if let enrollment = state.enrollment { return enrollment }
            let enrollment = Task { [authority, account, keys] in
                let nonce = try await authority.makeNonce(account: account)
                guard let publicKey = keys.installationKey?.publicKey.spkiDER else {
                    throw ProtectionError(.permanent, "there is no installation key")
                }
                let statement = InstallationProof.enrollment(
                    account: account,
                    nonce: nonce,
                    publicKey: publicKey
                )
                return try await authority.enroll(
                    account: account,
                    publicKey: publicKey,
                    nonce: nonce,
                    proof: try await keys.installationSignature(
                        of: statement.signedBytes,
                        publicKey: publicKey
                    )
                )
            }
            state.enrollment = enrollment
            return enrollment
        }
        do {
            let installation = try await enrollment.value
            state.withLock { $0.deviceID = installation.id }
            return installation
        } catch {
            state.withLock { if $0.enrollment == enrollment { $0.enrollment = nil } }
            throw error
        }
    }
}

public import HTTPMessages
public import Timing

/// Reads a profile of the shared files each time it is asked.
///
/// A profile holds keys, or a role with a web identity token. Profiles that ask for another program, for single
/// sign-on or for a role of another profile are refused.
public struct ProfileCredentialsProvider: AWSCredentialsProvider {
    private let name: String?
    private let environment: AWSEnvironment
    private let session: (any HTTPSession)?
    private let time: TimeSource

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - name: The profile; nil for the environment's, or `default`.
    ///   - environment: Where the files are.
    ///   - session: Sends what a role with a web identity token needs; nil refuses such profiles.
    ///   - time: The clocks.
    public init(
        _ name: String? = nil,
        environment: AWSEnvironment = .process,
        session: (any HTTPSession)? = nil,
        time: TimeSource = .system
    ) {
        self.name = name
        self.environment = environment
        self.session = session
        self.time = time
    }

    /// The credentials of the profile.
    ///
    /// - Throws: ``AWSSigningError`` with the codes of ``AWSProfile/init(_:environment:)``, `noCredentials` for a profile that
    ///   holds none, `unsupportedProfile` for one of another kind, `invalidConfiguration` for half an access key,
    ///   `invalidCredentials` for one that cannot be; for a role with a web identity what
    ///   ``WebIdentityCredentialsProvider/credentials()`` throws.
    public func credentials() async throws -> AWSCredentials {
        let profile = try AWSProfile(name, environment: environment)
        if let role = profile["role_arn"] {
            guard let session, let file = profile["web_identity_token_file"] else {
                throw AWSSigningError(
                    .unsupportedProfile,
                    "the profile takes a role in a way that is not offered"
                )
            }
            return try await WebIdentityCredentialsProvider(
                role: role,
                tokenFile: environment.expanded(file),
                region: environment.region ?? profile.region,
                session: session,
                sessionName: profile["role_session_name"],
                endpoint: environment["AWS_ENDPOINT_URL_STS"],
                time: time
            ).credentials()
        }
        return try profile.credentials()
    }
}

internal import Cryptography

/// Reads `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`.
public struct EnvironmentCredentialsProvider: AWSCredentialsProvider {
    private let environment: AWSEnvironment

    /// Reads these variables, by default those of the process as they are at this call.
    public init(_ environment: AWSEnvironment = .process) {
        self.environment = environment
    }

    /// The credentials in the variables.
    ///
    /// - Throws: ``AWSSigningError`` with code `noCredentials` when neither key is there, `invalidConfiguration` when
    ///   only one is, `invalidCredentials` for one that cannot be.
    public func credentials() async throws -> AWSCredentials {
        switch (environment["AWS_ACCESS_KEY_ID"], environment["AWS_SECRET_ACCESS_KEY"]) {
        case (nil, nil):
            throw AWSSigningError(.noCredentials, "there are no credentials in the environment")
        case (let accessKeyID?, let secret?):
            return try AWSCredentials(
                accessKeyID: accessKeyID,
                secretAccessKey: SecretBytes(Array(secret.utf8)),
                sessionToken: environment["AWS_SESSION_TOKEN"]
            )
        default:
            throw AWSSigningError(.invalidConfiguration, "the environment holds one half of an access key")
        }
    }
}
